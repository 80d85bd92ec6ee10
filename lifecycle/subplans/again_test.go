package subplans_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// A run whose context ends is interrupted. The next run continues where it stopped.
func TestBrokenOff(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var worked journal
		cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
			worked.write(task.Name)
			if task.Name == "b" && task.Plan.Attempt == 1 {
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})
		results, err := subplans.Run(ctx, cfg, list("a", "b", "c"))
		want := []subplans.State{subplans.Complete, subplans.Running, subplans.Queued}
		wantKept := []string{"execute/complete", "execute/processing", "strategize/queued"}
		if said, kept := states(t, m, results); !errors.Is(err, context.Canceled) || !reflect.DeepEqual(said, want) || !reflect.DeepEqual(kept, wantKept) {
			t.Errorf("got %q, kept %q, %v; want %q, %q, cancelled", said, kept, err, want, wantKept)
		}
		results, err = subplans.Run(context.Background(), cfg, list("a", "b", "c"))
		check(t, err)
		if want := []string{"a", "b", "b", "c"}; !reflect.DeepEqual(worked.words, want) || !results[0].Merged {
			t.Errorf("worked on %q, want %q", worked.words, want)
		}
		if p := results[1].Plan; p.Attempt != 2 {
			t.Errorf("got attempt %d, want the second one, after the take-over", p.Attempt)
		}
	})
}

// The next run continues a subplan from any position in which a worker left it.
func TestGoesOnFromAnywhere(t *testing.T) {
	ctx := context.Background()
	ways := map[string][]lifecycle.Command{"strategize/queued": nil}
	for grown := true; grown; {
		grown = false
		for _, edge := range lifecycle.Transitions() {
			way, known := ways[edge.From.String()]
			if _, there := ways[edge.To.String()]; known && !there {
				ways[edge.To.String()] = append(append([]lifecycle.Command(nil), way...), edge.Command)
				grown = true
			}
		}
	}
	m := newMill(t, "")
	for to, way := range ways {
		parent, err := m.UseAction(ctx, "mill/weave", lifecycle.UseOptions{})
		check(t, err)
		p, err := m.UseAction(ctx, "mill/weave", lifecycle.UseOptions{Name: "x", ParentID: parent.ID})
		check(t, err)
		for _, command := range way {
			r := lifecycle.Request{PlanID: p.ID, Command: command}
			if strings.HasPrefix(string(command), "fail") || strings.HasPrefix(string(command), "constrain") {
				r.Reason = "for the test"
			}
			p, err = m.Transition(ctx, r)
			check(t, err)
		}
		cfg := m.config(subplans.Parallel, func(context.Context, subplans.Task) error { return nil })
		cfg.Parent, cfg.Retries = lifecycle.Claim{PlanID: parent.ID}, 1
		results, err := subplans.Run(ctx, cfg, list("x"))
		switch {
		case strings.HasSuffix(to, "cancelled"):
			if results[0].State != subplans.Cancelled || !errors.Is(err, subplans.ErrCancelled) {
				t.Errorf("%s: got %+v, %v, want it cancelled", to, results, err)
			}
		case err != nil || !results[0].Merged || results[0].Plan.ID != p.ID:
			t.Errorf("%s: got %+v, %v, want it merged", to, results, err)
		}
	}
	if len(ways) < 14 {
		t.Errorf("got %d positions, want all", len(ways))
	}
}

// A take-over that is interrupted between its two steps is not a failure.
func TestTakeOverIsBrokenOff(t *testing.T) {
	ctx := context.Background()
	m := newMill(t, "")
	p, err := m.UseAction(ctx, "mill/weave", lifecycle.UseOptions{Name: "a", ParentID: m.parent.PlanID})
	check(t, err)
	for _, command := range []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan,
		lifecycle.CommandStartExecute, lifecycle.CommandFailExecute,
	} {
		r := lifecycle.Request{PlanID: p.ID, Command: command}
		if command == lifecycle.CommandFailExecute {
			r.Reason = "its worker is gone"
		}
		_, err := m.Transition(ctx, r)
		check(t, err)
	}
	cfg := m.config(subplans.Sequential, func(context.Context, subplans.Task) error { return nil })
	results, err := subplans.Run(ctx, cfg, list("a"))
	if err != nil || results[0].State != subplans.Complete {
		t.Errorf("got %+v, %v, want it complete", results, err)
	}
}

// After a failed merge the next run continues with the same change.
func TestMergeGoesOn(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		var merged journal
		failing := true
		cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
			return errors.Join(record(ctx, task, "1"), record(ctx, task, "2"))
		})
		cfg.Merge = func(ctx context.Context, p lifecycle.Plan, c lifecycle.Change) error {
			if failing && p.Name.Base == "b" && c.Number == 2 {
				return errTorn
			}
			return merged.merges(ctx, p, c)
		}
		results, err := subplans.Run(context.Background(), cfg, list("a", "b"))
		if !errors.Is(err, errTorn) || !strings.Contains(err.Error(), `"b"`) || !results[0].Merged || results[1].Merged {
			t.Errorf("got %+v, %v, want b not merged", results, err)
		}
		failing = false
		_, err = subplans.Run(context.Background(), cfg, list("a", "b"))
		check(t, err)
		if want := []string{"a 1", "a 2", "b 1", "b 2"}; !reflect.DeepEqual(merged.words, want) {
			t.Errorf("merged %q, want each once: %q", merged.words, want)
		}
	})
}

// A worker that loses its claim gets an error, and its calls are refused. The one that
// took over continues.
func TestTakenOver(t *testing.T) {
	ctx := context.Background()
	m := newMill(t, "")
	var cause, late error
	cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
		p, err := m.GetPlan(ctx, task.Plan.ID)
		check(t, err)
		check(t, m.Release(ctx, p.Claim)) // as if it had hung until its claim expired
		_, err = m.Claim(ctx, p.ID, "another", time.Hour)
		check(t, err)
		<-ctx.Done()
		cause, late = context.Cause(ctx), record(context.WithoutCancel(ctx), task, "x")
		return nil
	})
	cfg.Lease = 3 * time.Second // it notices after a third of that
	_, err := subplans.Run(ctx, cfg, list("a", "b"))
	for what, err := range map[string]error{"run": err, "cause": cause, "late": late} {
		if !errors.Is(err, lifecycle.ErrClaimed) || !strings.Contains(err.Error(), `"another"`) {
			t.Errorf("%s: got %v, want ErrClaimed that names the other", what, err)
		}
	}
}

// A subplan that another caller cancels during the work is cancelled, and so is what
// needs it.
func TestCancelledByOthers(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		cfg := m.config(subplans.ByDependencies, func(ctx context.Context, task subplans.Task) error {
			if task.Name == "a" {
				_, err := m.Cancel(ctx, task.Plan.ID, "not needed")
				check(t, err)
			}
			return nil
		})
		parts := list("a", "b", "c")
		parts[1].After = []string{"a"}
		results, err := subplans.Run(context.Background(), cfg, parts)
		want := []subplans.State{subplans.Cancelled, subplans.Cancelled, subplans.Complete}
		if said, _ := states(t, m, results); !reflect.DeepEqual(said, want) || !strings.Contains(results[0].Err.Error(), "not needed") {
			t.Errorf("got %q, %v, want %q", said, err, want)
		}
	})
}

// If several callers run the same subplans at once under one claim, one at a time works
// on a subplan, and one merges each of its changes.
func TestRunTogether(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		var merged journal
		cfg := m.config(subplans.Parallel, func(ctx context.Context, task subplans.Task) error { return record(ctx, task, "x") })
		cfg.Merge = func(_ context.Context, p lifecycle.Plan, c lifecycle.Change) error {
			merged.write(fmt.Sprint(p.Name.Base, c.Number))
			return nil
		}
		for _, name := range []string{"a", "b", "c"} { // made before, so that none is made twice
			_, err := m.UseAction(context.Background(), "mill/weave", lifecycle.UseOptions{Name: name, ParentID: m.parent.PlanID})
			check(t, err)
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _, _ = subplans.Run(context.Background(), cfg, list("a", "b", "c")) })
		}
		all.Wait()
		_, err := subplans.Run(context.Background(), cfg, list("a", "b", "c"))
		check(t, err)
		if slices.Sort(merged.words); len(merged.words) < 3 || len(slices.Compact(slices.Clone(merged.words))) != len(merged.words) {
			t.Errorf("merged %q, want each once", merged.words)
		}
	})
}

// A finished subplan is not done again if a caller who lost the parent makes another
// one of its name. With a slow clock that one has the smaller identifier.
func TestMadeTwiceByAClockThatIsBehind(t *testing.T) {
	ctx := context.Background()
	url := storetest.FileURL(t)
	m := newMill(t, url)
	worked := 0
	cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
		worked++
		return record(ctx, task, "x")
	})
	first, err := subplans.Run(ctx, cfg, list("a"))
	check(t, err)
	late, err := lifecycle.Open(ctx, lifecycle.Config{
		URL: url, Engines: storetest.Engines(t), Clock: func() time.Time { return time.Now().Add(-time.Hour) },
	})
	check(t, err)
	defer late.Close()
	again, err := late.UseAction(ctx, "mill/weave", lifecycle.UseOptions{Name: "a", ParentID: m.parent.PlanID})
	if check(t, err); again.ID > first[0].Plan.ID {
		t.Fatalf("got the identifiers %s and then %s, want the second one smaller", first[0].Plan.ID, again.ID)
	}
	results, err := subplans.Run(ctx, cfg, list("a"))
	check(t, err)
	if results[0].Plan.ID != first[0].Plan.ID || worked != 1 {
		t.Errorf("got %+v after %d attempts, want plan %s after one", results[0], worked, first[0].Plan.ID)
	}
	if again, err = late.GetPlan(ctx, again.ID); err != nil || again.State != lifecycle.StateCancelled {
		t.Errorf("got %+v, %v, want the other cancelled", again, err)
	}
}

// Of two subplans of one name without any work the older one counts.
func TestMadeTwice(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, m mill) {
		var made []lifecycle.Plan
		for range 2 {
			p, err := m.UseAction(ctx, "mill/weave", lifecycle.UseOptions{Name: "a", ParentID: m.parent.PlanID})
			check(t, err)
			made = append(made, p)
		}
		cfg := m.config(subplans.Parallel, func(context.Context, subplans.Task) error { return nil })
		results, err := subplans.Run(ctx, cfg, list("a", "b"))
		check(t, err)
		twice, err := m.GetPlan(ctx, made[1].ID)
		if err != nil || results[0].Plan.ID != made[0].ID || twice.State != lifecycle.StateCancelled || twice.ErrorMessage != "it was made twice" {
			t.Errorf("got %+v, and of the other %+v, %v; want the first, and the other cancelled", results[0], twice, err)
		}
	})
}

// The claim to a subplan is renewed during the whole work on it.
func TestClaimIsRenewed(t *testing.T) {
	m := newMill(t, "")
	cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
		last := task.Plan.Claim.ExpiresAt
		for renewals := 0; renewals < 2; time.Sleep(time.Millisecond) {
			p, err := m.GetPlan(ctx, task.Plan.ID)
			if err != nil {
				return err
			}
			if p.Claim.Fence != task.Plan.Claim.Fence {
				return fmt.Errorf("got the claim %d, want %d renewed", p.Claim.Fence, task.Plan.Claim.Fence)
			}
			if p.Claim.ExpiresAt.After(last) {
				last, renewals = p.Claim.ExpiresAt, renewals+1
			}
		}
		return nil
	})
	cfg.Lease = 3 * time.Second
	_, err := subplans.Run(context.Background(), cfg, list("a"))
	check(t, err)
}

// An error of the database ends the run.
func TestServiceFails(t *testing.T) {
	for _, worked := range []error{nil, errTorn} {
		m := newMill(t, "")
		cfg := m.config(subplans.Parallel, func(context.Context, subplans.Task) error {
			check(t, m.Close())
			return worked
		})
		results, err := subplans.Run(context.Background(), cfg, list("a"))
		if !errors.Is(err, lifecycle.ErrClosed) || results[0].State != subplans.Running {
			t.Errorf("got %+v, %v, want ErrClosed", results, err)
		}
	}
	m := newMill(t, "")
	cfg := m.config(subplans.Parallel, func(context.Context, subplans.Task) error { return nil })
	check(t, m.Close())
	if _, err := subplans.Run(context.Background(), cfg, list("a")); !errors.Is(err, lifecycle.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

// A subplan that another worker has claimed is neither worked on nor merged.
func TestClaimedByOthers(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, m mill) {
		cfg := m.config(subplans.Sequential, func(context.Context, subplans.Task) error { return nil })
		p, err := m.UseAction(ctx, "mill/weave", lifecycle.UseOptions{Name: "a", ParentID: m.parent.PlanID})
		check(t, err)
		for i, want := range []subplans.State{subplans.Running, subplans.Complete} {
			claim, err := m.Claim(ctx, p.ID, "another", time.Hour)
			check(t, err)
			for range 4 * i { // to execute/complete
				p, err = m.GetPlan(ctx, p.ID)
				check(t, err)
				for _, edge := range lifecycle.Transitions() {
					if edge.From == p.Position() && !strings.HasPrefix(string(edge.Command), "fail") && edge.Command != lifecycle.CommandCancel {
						_, err := m.Transition(ctx, claim.Request(edge.Command))
						check(t, err)
						break
					}
				}
			}
			if i == 1 {
				_, err = m.Transition(ctx, claim.Request(lifecycle.CommandCompleteExecute))
				check(t, err)
			}
			results, err := subplans.Run(ctx, cfg, list("a"))
			if !errors.Is(err, lifecycle.ErrClaimed) || results[0].State != want || results[0].Merged {
				t.Errorf("got %+v, %v, want it %s and ErrClaimed", results, err, want)
			}
			check(t, m.Release(ctx, claim))
		}
	})
}

// The run fails if it must cancel a subplan that another caller has applied.
func TestAppliedByOthers(t *testing.T) {
	ctx := context.Background()
	for name, change := range map[string]func(*subplans.Config, []subplans.Subplan){
		"hopeless":  func(_ *subplans.Config, parts []subplans.Subplan) { parts[1].After = []string{"a"} },
		"fail fast": func(cfg *subplans.Config, _ []subplans.Subplan) { cfg.FailFast = true },
	} {
		m := newMill(t, "")
		cfg := m.config(subplans.ByDependencies, func(context.Context, subplans.Task) error {
			b, err := m.FindPlans(ctx, lifecycle.PlanFilter{ParentID: m.parent.PlanID, State: lifecycle.StateQueued, Phase: lifecycle.PhaseStrategize})
			if check(t, err); len(b) != 1 {
				t.Fatalf("%s: got %+v queued, want b", name, b)
			}
			claim, err := m.Claim(ctx, b[0].ID, "another", time.Hour)
			check(t, err)
			for p := b[0]; !p.State.Terminal(); {
				for _, edge := range lifecycle.Transitions() {
					if edge.From == p.Position() && !strings.HasPrefix(string(edge.Command), "fail") && edge.Command != lifecycle.CommandCancel {
						p, err = m.Transition(ctx, claim.Request(edge.Command))
						check(t, err)
						break
					}
				}
			}
			return errTorn
		})
		cfg.MaxParallel = 1
		parts := list("a", "b")
		change(&cfg, parts)
		results, err := subplans.Run(ctx, cfg, parts)
		if !errors.Is(err, lifecycle.ErrInvalidTransition) || len(results) != 2 || results[0].State != subplans.Failed || results[1].State != subplans.Queued {
			t.Errorf("%s: got %+v, %v, want a failed, b unchanged, and ErrInvalidTransition", name, results, err)
		}
	}
}

// Without a Merge, the changes of a subplan are still applied.
func TestNothingToMerge(t *testing.T) {
	m := newMill(t, "")
	cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error { return record(ctx, task, "x") })
	results, err := subplans.Run(context.Background(), cfg, list("a"))
	if said, kept := states(t, m, results); err != nil || !results[0].Merged || kept[0] != "apply/applied" {
		t.Errorf("got %q, kept %q, %v, want it merged", said, kept, err)
	}
}

// If the parent is cancelled, the run ends at the next write to it. An error with any
// text is stored.
func TestParentIsCancelled(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, m mill) {
		for name, text := range map[string]string{"long": strings.Repeat("weft", 5000), "empty": "", "odd": "\x00\xff"} {
			cfg := m.config(subplans.Sequential, func(context.Context, subplans.Task) error {
				if name == "odd" {
					_, err := m.Cancel(ctx, m.parent.PlanID, "")
					check(t, err)
				}
				return errors.New(text)
			})
			parent, err := m.UseAction(ctx, "mill/weave", lifecycle.UseOptions{})
			check(t, err)
			if cfg.Parent = (lifecycle.Claim{PlanID: parent.ID}); name == "odd" {
				cfg.Parent = m.parent
			}
			results, err := subplans.Run(ctx, cfg, list("a"))
			if len(results) != 1 || results[0].State != subplans.Failed || errors.Is(err, lifecycle.ErrFinished) != (name == "odd") {
				t.Errorf("%s: got %+v, %v, want it failed", name, results, err)
			}
		}
	})
}
