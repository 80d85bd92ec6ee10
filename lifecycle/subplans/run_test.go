package subplans_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

var errTorn = errors.New("the thread is torn")

// Subplans run one after the other in the given order, and are merged in it.
func TestSequential(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, m mill) {
		var worked, merged journal
		cfg := m.config("", func(ctx context.Context, task subplans.Task) error {
			worked.write(task.Name)
			return errors.Join(record(ctx, task, "1"), record(ctx, task, "2"))
		})
		cfg.Merge = merged.merges
		results, err := subplans.Run(ctx, cfg, list("c", "a", "b"))
		check(t, err)
		if want := []string{"c", "a", "b"}; !reflect.DeepEqual(worked.words, want) {
			t.Errorf("worked on %q, want %q", worked.words, want)
		}
		if want := []string{"c 1", "c 2", "a 1", "a 2", "b 1", "b 2"}; !reflect.DeepEqual(merged.words, want) {
			t.Errorf("merged %q, want %q", merged.words, want)
		}
		for i, r := range results {
			p, err := m.GetPlan(ctx, r.Plan.ID)
			check(t, err)
			if r.State != subplans.Complete || !r.Merged || r.Err != nil || r.Name != worked.words[i] || !reflect.DeepEqual(p, r.Plan) {
				t.Errorf("got %+v, want it complete and merged, as it is kept: %+v", r, p)
			}
			if p.ParentID != m.parent.PlanID || p.RootID != m.parent.PlanID || p.Applied != 2 || p.State != lifecycle.StateApplied {
				t.Errorf("got %+v, want a child of %s with 2 changes applied", p, m.parent.PlanID)
			}
		}
		again, err := subplans.Run(ctx, cfg, list("c", "a", "b"))
		if err != nil || !reflect.DeepEqual(again, results) || len(worked.words) != 3 || len(merged.words) != 6 {
			t.Errorf("run again: got %+v, %v, want nothing done and the same results", again, err)
		}
	})
}

// MaxParallel subplans run at a time, no fewer and no more. The others are queued
// and run later.
func TestParallelQueues(t *testing.T) {
	const most, all = 3, 7
	forEachStore(t, func(t *testing.T, m mill) {
		var working, tooMany atomic.Int64
		var once sync.Once
		full := make(chan struct{})
		var merged journal
		var names []string
		for i := range all {
			names = append(names, fmt.Sprint("part", i))
		}
		cfg := m.config(subplans.Parallel, func(ctx context.Context, task subplans.Task) error {
			defer working.Add(-1)
			switch n := working.Add(1); {
			case n == most:
				once.Do(func() { close(full) })
			case n > most:
				tooMany.Store(n)
			}
			<-full // none ends before MaxParallel run
			return record(ctx, task, "x")
		})
		cfg.MaxParallel, cfg.Merge = most, merged.merges
		results, err := subplans.Run(context.Background(), cfg, list(names...))
		if err != nil || len(results) != all || tooMany.Load() != 0 {
			t.Errorf("got %d results, %v, %d at a time; want %d, none, at most %d", len(results), err, tooMany.Load(), all, most)
		}
		for i, name := range names {
			if merged.words[i] != name+" x" {
				t.Errorf("merged %q, want the given order", merged.words)
			}
		}
	})
}

func TestByDependencies(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		var ended journal
		cfg := m.config(subplans.ByDependencies, func(_ context.Context, task subplans.Task) error {
			ended.write(task.Name)
			return nil
		})
		parts := list("d", "c", "b", "a")
		parts[0].After = []string{"b", "local/C"}
		parts[1].After = []string{"a"}
		parts[2].After = []string{"a"}
		_, err := subplans.Run(context.Background(), cfg, parts)
		check(t, err)
		if ended.words[0] != "a" || ended.words[3] != "d" {
			t.Errorf("got the order %q, want a first and d last", ended.words)
		}
	})
}

// What needs a failed subplan is cancelled. The rest continues.
func TestHopelessAreCancelled(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		cfg := m.config(subplans.ByDependencies, func(_ context.Context, task subplans.Task) error {
			if task.Name == "a" {
				return errTorn
			}
			return nil
		})
		parts := list("c", "b", "a", "d")
		parts[0].After, parts[1].After = []string{"b"}, []string{"a"}
		results, err := subplans.Run(context.Background(), cfg, parts)
		want := []subplans.State{subplans.Cancelled, subplans.Cancelled, subplans.Failed, subplans.Complete}
		if said, kept := states(t, m, results); !reflect.DeepEqual(said, want) || kept[0] != "strategize/cancelled" {
			t.Errorf("got %q, kept %q, want %q", said, kept, want)
		}
		var e *subplans.Error
		if !errors.As(err, &e) || !errors.Is(err, errTorn) || !errors.Is(err, subplans.ErrCancelled) || len(e.Results) != 4 {
			t.Errorf("got %v, want an Error with that of a", err)
		}
		if want := "1 of 4 subplans are complete, 1 failed, 2 are cancelled; a: the thread is torn"; !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
		if text := results[0].Err.Error(); !strings.Contains(text, `"b", which is cancelled`) {
			t.Errorf("got %q, want it to name what it needs", text)
		}
	})
}

// N9: one subplan fails fast. Those not started are cancelled and were never complete.
// What was running is not merged, even if it ignores its context and goes on to record
// and succeed.
func TestN9FailFast(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		var merged journal
		begun, failed := make(chan struct{}), make(chan struct{})
		var late error
		cfg := m.config(subplans.Parallel, func(ctx context.Context, task subplans.Task) error {
			switch task.Name {
			case "done":
				return record(ctx, task, "x")
			case "slow":
				check(t, record(ctx, task, "before"))
				close(begun)
				<-ctx.Done()
				<-failed
				late = record(context.WithoutCancel(ctx), task, "after")
				return nil
			case "torn":
				<-begun
				return errTorn
			}
			t.Errorf("got %q started, want it cancelled", task.Name)
			return nil
		})
		cfg.MaxParallel, cfg.FailFast, cfg.Merge = 2, true, merged.merges
		parts := list("done", "slow", "torn", "never", "neither")
		go func() {
			// Wait until all but the slow one are decided.
			for ctx := context.Background(); ; time.Sleep(time.Millisecond) {
				plans, err := m.FindPlans(ctx, lifecycle.PlanFilter{ParentID: m.parent.PlanID, State: lifecycle.StateCancelled})
				if err != nil || len(plans) == 3 {
					close(failed)
					return
				}
			}
		}()
		results, err := subplans.Run(context.Background(), cfg, parts)
		want := []subplans.State{subplans.Complete, subplans.Cancelled, subplans.Failed, subplans.Cancelled, subplans.Cancelled}
		wantKept := []string{"apply/applied", "execute/cancelled", "execute/errored", "strategize/cancelled", "strategize/cancelled"}
		if said, kept := states(t, m, results); !reflect.DeepEqual(said, want) || !reflect.DeepEqual(kept, wantKept) {
			t.Errorf("got %q, kept %q, want %q and %q", said, kept, want, wantKept)
		}
		if !errors.Is(err, errTorn) || !errors.Is(late, lifecycle.ErrFinished) {
			t.Errorf("got %v, and the late change %v; want %v and ErrFinished", err, late, errTorn)
		}
		if want := []string{"done x"}; !reflect.DeepEqual(merged.words, want) {
			t.Errorf("merged %q, want %q", merged.words, want)
		}
		parent, err := m.GetPlan(context.Background(), m.parent.PlanID)
		if want := map[string]string{results[2].Plan.ID: "torn: the thread is torn"}; err != nil || !reflect.DeepEqual(parent.ErrorDetails, want) {
			t.Errorf("got the parent's details %v, %v, want %v", parent.ErrorDetails, err, want)
		}
		again, err := subplans.Run(context.Background(), cfg, parts)
		if said, _ := states(t, m, again); !reflect.DeepEqual(said, want) || err == nil {
			t.Errorf("run again: got %q, %v, want the same states", said, err)
		}
	})
}

func TestTimeout(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
			<-ctx.Done()
			if task.Name == "quiet" {
				return nil
			}
			return fmt.Errorf("gave up: %w", ctx.Err())
		})
		cfg.Timeout = time.Millisecond
		results, err := subplans.Run(context.Background(), cfg, list("loud", "quiet"))
		for i, r := range results {
			var late *subplans.TimeoutError
			if r.State != subplans.Failed || !errors.As(r.Err, &late) || !errors.Is(err, subplans.ErrTimeout) {
				t.Fatalf("got %+v, %v, want it failed with a TimeoutError", r, err)
			}
			if late.Subplan != r.Name || late.PlanID != r.Plan.ID || late.Limit != time.Millisecond || (late.Err == nil) != (i == 1) {
				t.Errorf("got %+v, want it about %s", late, r.Name)
			}
			if r.Plan.ErrorMessage != late.Error() || !strings.Contains(late.Error(), "want it done within 1ms") {
				t.Errorf("got %q, kept %q, want the same", late, r.Plan.ErrorMessage)
			}
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the error of the work in it", err)
		}
	})
}

// A failed subplan is retried after those that are queued, and only as often as
// allowed.
func TestRetries(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		var worked, merged journal
		cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
			worked.write(fmt.Sprint(task.Name, task.Plan.Attempt))
			if task.Name == "bad" || task.Plan.Attempt < 3 {
				return errTorn
			}
			return record(ctx, task, "x")
		})
		cfg.Retries, cfg.Timeout, cfg.Merge = 2, time.Hour, merged.merges
		results, err := subplans.Run(context.Background(), cfg, list("good", "bad"))
		want := []subplans.State{subplans.Complete, subplans.Failed}
		if said, _ := states(t, m, results); !reflect.DeepEqual(said, want) || !errors.Is(err, errTorn) {
			t.Errorf("got %q, %v, want %q and %v", said, err, want, errTorn)
		}
		slices.Sort(worked.words)
		if want := []string{"bad1", "bad2", "bad3", "good1", "good2", "good3"}; !reflect.DeepEqual(worked.words, want) {
			t.Errorf("got the attempts %q, want %q", worked.words, want)
		}
		if results[0].Err != nil || len(merged.words) != 1 {
			t.Errorf("got %v, merged %q, want what succeeded at last", results[0].Err, merged.words)
		}
	})
}

func TestRunIsChecked(t *testing.T) {
	ctx := context.Background()
	m := newMill(t, "")
	work := func(context.Context, subplans.Task) error { return nil }
	good := m.config(subplans.ByDependencies, work)
	with := func(change func(*subplans.Config)) subplans.Config {
		cfg := good
		change(&cfg)
		return cfg
	}
	after := func(needs ...string) []subplans.Subplan {
		all := list("a", "b", "c")
		for i, need := range needs {
			if need != "" {
				all[i].After = []string{need}
			}
		}
		return all
	}
	for _, test := range []struct {
		cfg  subplans.Config
		list []subplans.Subplan
		want error
		says string
	}{
		{with(func(c *subplans.Config) { c.Mode = "loom" }), nil, lifecycle.ErrInvalid, "loom"},
		{with(func(c *subplans.Config) { c.Service = nil }), nil, lifecycle.ErrInvalid, "service"},
		{with(func(c *subplans.Config) { c.Work = nil }), nil, lifecycle.ErrInvalid, "work"},
		{with(func(c *subplans.Config) { c.Parent.PlanID = "" }), nil, lifecycle.ErrInvalid, "parent"},
		{with(func(c *subplans.Config) { c.MaxParallel = -1 }), nil, lifecycle.ErrInvalid, "-1"},
		{with(func(c *subplans.Config) { c.Timeout = -1 }), nil, lifecycle.ErrInvalid, "-1ns"},
		{with(func(c *subplans.Config) { c.Retries = -1 }), nil, lifecycle.ErrInvalid, "-1"},
		{with(func(c *subplans.Config) { c.Lease = 1 }), nil, lifecycle.ErrInvalid, "1ns"},
		{with(func(c *subplans.Config) { c.Mode = subplans.Parallel }), after("b"), lifecycle.ErrInvalid, "parallel"},
		{good, list("a", "local/A"), lifecycle.ErrInvalid, "given twice"},
		{good, list("a b"), lifecycle.ErrInvalid, "subplans[0]"},
		{good, after("", "", "x"), subplans.ErrUnknown, `"c" is after "x", which is unknown; want one of ["a" "b" "c"]`},
		{good, after("a"), subplans.ErrCycle, "got the dependency cycle a → a, want none"},
		{good, after("b", "c", "b"), subplans.ErrCycle, "got the dependency cycle b → c → b, want none"},
		{with(func(c *subplans.Config) { c.Parent.PlanID = "nope" }), list("a"), lifecycle.ErrNotFound, "nope"},
		{with(func(c *subplans.Config) { c.Parent.Fence++ }), list("made"), lifecycle.ErrClaimed, "the master"},
	} {
		if _, err := subplans.Run(ctx, test.cfg, test.list); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("got %v, want %v that says %q", err, test.want, test.says)
		}
	}
	var none context.Context
	if _, err := subplans.Run(none, good, nil); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid without a context", err)
	}
	if got, err := subplans.Run(ctx, good, nil); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v, want no results for no subplans", got, err)
	}
}

// Work that panics, or ends its goroutine, has failed. The others go on.
func TestWorkThatNeverReturns(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		ends := map[string]func(){"bursts": func() { panic("it has burst") }, "leaves": runtime.Goexit, "stays": func() {}}
		cfg := m.config(subplans.Parallel, func(_ context.Context, task subplans.Task) error {
			ends[task.Name]()
			return nil
		})
		results, err := subplans.Run(context.Background(), cfg, list("bursts", "leaves", "stays"))
		want := []subplans.State{subplans.Failed, subplans.Failed, subplans.Complete}
		if said, _ := states(t, m, results); !reflect.DeepEqual(said, want) || err == nil {
			t.Fatalf("got %q, %v, want %q", said, err, want)
		}
		for i, text := range []string{"panic: it has burst", "has ended its goroutine"} {
			if got := results[i]; !strings.Contains(fmt.Sprint(got.Err), text) || !strings.Contains(got.Plan.ErrorMessage, text) {
				t.Errorf("%s: got %v, kept %q, want %q", got.Name, got.Err, got.Plan.ErrorMessage, text)
			}
		}
	})
}
