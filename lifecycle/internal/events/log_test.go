package events_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// node returns the node of a version of a plan, at the minute of that number.
func node(plan string, version int64, before *events.Node) *events.Node {
	return events.NewNode(events.Event{PlanID: plan, Version: version, At: start.Add(time.Duration(version) * time.Minute)}, before)
}

func names(all []events.Event) (texts []string) {
	for _, e := range all {
		texts = append(texts, fmt.Sprint(e.Cursor, " ", e.PlanID, e.Version))
	}
	return texts
}

func after(t *testing.T, s events.Store, c events.Cursor, want ...string) {
	t.Helper()
	all, err := s.After(context.Background(), c, 100)
	if got := names(all); err != nil || !slices.Equal(got, want) {
		t.Errorf("after %d: got %q, %v, want %q", c, got, err, want)
	}
}

// A plan's events are in the order of its versions, each once, even if they are
// added in another order.
func TestLogOrder(t *testing.T) {
	var l events.Log
	a1 := node("a", 1, nil)
	a2 := node("a", 2, a1)
	a3 := node("a", 3, a2)
	b1 := node("b", 1, nil)
	l.Add(a2)
	after(t, &l, 0, "1 a1", "2 a2")
	l.Add(b1)
	l.Add(a1)
	l.Add(a3)
	after(t, &l, 0, "1 a1", "2 a2", "3 b1", "4 a3")
	after(t, &l, 2, "3 b1", "4 a3")
	after(t, &l, 4)
	if all, err := l.After(context.Background(), 1, 2); err != nil || !slices.Equal(names(all), []string{"2 a2", "3 b1"}) {
		t.Errorf("got %q, %v, want two", names(all), err)
	}
}

// A log is pruned up to the first event that is too young. The times may be in any
// order.
func TestLogPrune(t *testing.T) {
	ctx := context.Background()
	var l events.Log
	for _, version := range []int64{1, 2, 9, 3, 4} {
		l.Add(node("a", version, nil))
	}
	if n, err := l.Prune(ctx, start.Add(5*time.Minute)); n != 2 || err != nil {
		t.Errorf("got %d pruned, %v, want 2", n, err)
	}
	after(t, &l, 2, "3 a9", "4 a3", "5 a4")
	var refused *events.CursorError
	for _, c := range []events.Cursor{1, 6} {
		_, err := l.After(ctx, c, 1)
		if !errors.As(err, &refused) || !errors.Is(err, events.ErrCursor) || *refused != (events.CursorError{Got: c, First: 2, Last: 5}) {
			t.Errorf("after %d: got %v, want a CursorError with 2 to 5", c, err)
		}
	}
	if n, err := l.Prune(ctx, start.Add(time.Hour)); n != 3 || err != nil {
		t.Errorf("got %d pruned, %v, want 3", n, err)
	}
	if last, err := l.Last(ctx); last != 5 || err != nil {
		t.Errorf("got %d, %v, want 5", last, err)
	}
	l.Add(node("a", 5, nil))
	after(t, &l, 5, "6 a5")
}

// Every field of an event is kept.
func TestLogKeepsAll(t *testing.T) {
	var l events.Log
	var want []events.Event
	for i, at := range []domain.Position{{Phase: domain.PhaseApply, State: domain.StateApplied}, {Phase: domain.PhaseExecute, State: domain.StateQueued}} {
		for range 2 {
			e := events.Event{PlanID: fmt.Sprint("plan ", i), Version: int64(i), Position: at, Archived: i == 0, Deleted: i == 1, At: start}
			l.Add(events.NewNode(e, nil))
			e.Cursor = events.Cursor(len(want) + 1)
			want = append(want, e)
		}
	}
	if got, err := l.After(context.Background(), 0, 10); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// Unread events are few objects for the garbage collector. Of more than Most the oldest
// are pruned. A follower that still needs them gets an error.
func TestLogThatNobodyReads(t *testing.T) {
	const more = 1000
	if events.Most != 262_144 {
		t.Errorf("got %d kept, want 262,144 as documented", events.Most)
	}
	ctx := context.Background()
	objects := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapObjects)
	}
	var l events.Log
	before := objects()
	for v := range int64(events.Most + more) {
		l.Add(node("a", v+1, nil))
	}
	if added := objects() - before; added > events.Most/50 {
		t.Errorf("got %d objects for %d events, want few", added, events.Most)
	}
	_, err := l.After(ctx, 0, 1)
	var refused *events.CursorError
	if !errors.As(err, &refused) || refused.Last != events.Most+more || refused.First < 1 || refused.First > more {
		t.Fatalf("got %v, want a CursorError with a first cursor up to %d", err, more)
	}
	after(t, &l, refused.Last-1, fmt.Sprint(refused.Last, " a", refused.Last))
	page, err := l.After(ctx, refused.First, events.Most+more)
	if err != nil || len(page) != int(refused.Last-refused.First) {
		t.Fatalf("got %d events, %v, want all behind %d", len(page), err, refused.First)
	}
	for i, e := range page {
		if want := refused.First + events.Cursor(i) + 1; e.Cursor != want || e.Version != int64(want) {
			t.Fatalf("got %+v, want cursor and version %d", e, want)
		}
	}
	if n, err := l.Prune(ctx, start.Add(time.Duration(refused.Last)*time.Minute)); n != len(page)-1 || err != nil {
		t.Errorf("got %d pruned, %v, want %d", n, err, len(page)-1)
	}
	after(t, &l, refused.Last-1, fmt.Sprint(refused.Last, " a", refused.Last))
	if got := objects() - before; got > more {
		t.Errorf("got %d objects for one event, want few", got)
	}
}

// The error says which cursor was asked for, and which there are.
func TestCursorError(t *testing.T) {
	for e, want := range map[events.CursorError]string{
		{Got: 1, First: 2, Last: 5}: "lifecycle: events: got cursor 1, want one from 2 to 5: what came next has been pruned",
		{Got: 6, First: 2, Last: 5}: "lifecycle: events: got cursor 6, want one from 2 to 5: the database has not come so far; is it the same one?",
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Writers never wait. Readers see one complete order while others write.
func TestLogOfMany(t *testing.T) {
	const plans, versions = 4, 500
	ctx := context.Background()
	var l events.Log
	var done sync.WaitGroup
	for i := range plans {
		done.Go(func() {
			var before *events.Node
			for v := range int64(versions) {
				before = node(fmt.Sprint(i, " "), v+1, before)
				l.Add(before)
			}
		})
	}
	heard := make([][]events.Event, 2)
	for i := range heard {
		done.Go(func() {
			for len(heard[i]) < plans*versions {
				page, err := l.After(ctx, events.Cursor(len(heard[i])), 7)
				if err != nil {
					t.Error(err)
					return
				}
				heard[i] = append(heard[i], page...)
			}
		})
	}
	done.Wait()
	at := make(map[string]int64)
	for i, e := range heard[0] {
		if e.Cursor != events.Cursor(i+1) || e.Version != at[e.PlanID]+1 || e != heard[1][i] {
			t.Fatalf("got %+v, and %+v, behind version %d; want cursor %d", e, heard[1][i], at[e.PlanID], i+1)
		}
		at[e.PlanID] = e.Version
	}
}

// Only progressing makes two versions at once.
func TestBetween(t *testing.T) {
	plan := func(version int64, phase domain.Phase, state domain.State) *domain.Plan {
		return &domain.Plan{Version: version, Phase: phase, State: state}
	}
	was := plan(2, domain.PhaseStrategize, domain.StateProcessing)
	if at, ok := events.Between(was, plan(4, domain.PhaseExecute, domain.StateQueued)); !ok || at.String() != "strategize/complete" {
		t.Errorf("got %v, %v, want strategize/complete", at, ok)
	}
	for _, is := range []*domain.Plan{plan(3, domain.PhaseStrategize, domain.StateComplete), plan(4, domain.PhaseStrategize, domain.StateErrored)} {
		if at, ok := events.Between(was, is); ok {
			t.Errorf("got %v on the way to %v version %d, want none", at, is.Position(), is.Version)
		}
	}
}
