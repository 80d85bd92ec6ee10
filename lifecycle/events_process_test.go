package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// A transaction that commits late does not delay later ones, and its events are not
// missed although they were written first. One that began before another does not mix
// up the versions of a plan.
func TestPostgresEventsOfALateCommit(t *testing.T) {
	ctx := context.Background()
	url := storetest.PostgresURL(t)
	s := open(t, lifecycle.Config{URL: url, Poll: time.Millisecond})
	late, p := newPlan(t, s), newPlan(t, s)
	f := follow(t, s, 0)
	heard := func(want ...string) {
		t.Helper()
		for _, want := range want {
			e := f.next()
			name := map[string]string{late.ID: "late", p.ID: "plan"}[e.PlanID]
			if got := fmt.Sprint(name, " ", e.Version); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
	heard("late 1", "plan 1")
	storetest.WithPostgres(t, url, func(conn *pgx.Conn) {
		tx, err := conn.Begin(ctx)
		check(t, err)
		move := func(id string, version int64) {
			t.Helper()
			tag, err := tx.Exec(ctx, "UPDATE plans SET version = $2, state = 'processing' WHERE plan_id = $1", id, version)
			check(t, err)
			if tag.RowsAffected() != 1 {
				t.Fatalf("changed %d plans, want 1", tag.RowsAffected())
			}
		}
		move(late.ID, 2)
		check(t, ignore(s.StartStrategize(ctx, p.ID)))
		heard("plan 2")
		check(t, ignore(s.CompleteStrategize(ctx, p.ID)))
		heard("plan 3")
		move(p.ID, 4)
		check(t, tx.Commit(ctx))
		heard("late 2", "plan 4")
		check(t, ignore(s.Cancel(ctx, p.ID, "")))
		heard("plan 5")
		var inOrder bool
		check(t, conn.QueryRow(ctx, `SELECT (SELECT max(position) FROM events WHERE seq < e.seq) < e.position
			FROM events AS e WHERE plan_id = $1 AND version = 2`, p.ID).Scan(&inOrder))
		if inOrder {
			t.Error("got the late event numbered before the others, want it after them")
		}
	})
	all := take(t, s, 0, 7)
	for i, e := range all {
		if e.Cursor != lifecycle.Cursor(i+1) {
			t.Errorf("got %+v, want cursor %d", e, i+1)
		}
	}
}

// Two processes write while this one follows. It gets all that they did, also what one
// of them reported before it was killed.
func TestEventsOfTwoProcesses(t *testing.T) {
	forEachShared(t, func(t *testing.T, url string) {
		s := open(t, lifecycle.Config{URL: url, Poll: time.Millisecond})
		newPlan(t, s) // creates the action
		lasts, dies := startChild(t, url), startChild(t, url)
		heard := make(chan []lifecycle.PlanEvent, 1)
		go func() { heard <- untilEnd(t, s) }()
		const rounds = 20
		var said []string // what the killed process reported
		together(2, func(i int) {
			if i == 1 {
				for range rounds {
					said = append(said, dies.ask("work"))
				}
				_, err := fmt.Fprintln(dies.in, "work")
				check(t, err)
				dies.kill() // at any point of its work
				return
			}
			for range rounds {
				lasts.ask("work")
			}
		})
		check(t, ignore(s.UseAction(context.Background(), "build", lifecycle.UseOptions{Description: "end"})))
		all := <-heard
		complete(t, s, all)
		for _, line := range said {
			id := strings.Fields(line)[0]
			if !slices.ContainsFunc(all, func(e lifecycle.PlanEvent) bool { return e.PlanID == id && e.Version == 4 }) {
				t.Errorf("got no event of %q, which a process reported", line)
			}
		}
	})
}

// A process that is killed between its write and its commit leaves no event, and
// delays nobody.
func TestNoEventOfAKilledTransaction(t *testing.T) {
	forEachShared(t, func(t *testing.T, url string) {
		ctx := context.Background()
		s := open(t, lifecycle.Config{URL: url, Poll: time.Millisecond})
		p := newPlan(t, s)
		f := follow(t, s, 1)
		c := startChild(t, url)
		if got := c.ask("hold %s", p.ID); got != "held" {
			t.Fatalf("the child says %q, want held", got)
		}
		c.kill()
		check(t, ignore(s.StartStrategize(ctx, p.ID)))
		if e := f.next(); short(e) != "2 strategize/processing" || e.Cursor != 2 {
			t.Errorf("got %+v, want the next version", e)
		}
	})
}

// work is the child's: it makes a plan, leads it to version 4 and returns its name.
func work(ctx context.Context, s *lifecycle.Service) string {
	p, err := s.UseAction(ctx, "build", lifecycle.UseOptions{})
	if err == nil {
		_, err = s.StartStrategize(ctx, p.ID)
	}
	if err == nil {
		_, err = s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandCompleteStrategize, Progress: true})
	}
	if err != nil {
		return "error " + err.Error()
	}
	return p.ID + " 4"
}

// hold is the child's: it changes a plan in a transaction that does not end, and
// reports that from within.
func hold(ctx context.Context, s *lifecycle.Service, id string) string {
	u, err := s.UnitOfWork()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(u.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		p, err := r.Plans.Get(ctx, id)
		if err != nil {
			return err
		}
		p.Version, p.State = 2, lifecycle.StateProcessing
		if _, _, err = r.Plans.Swap(ctx, p, 1); err != nil {
			return err
		}
		fmt.Println("held")
		<-ctx.Done()
		return ctx.Err()
	}))
}
