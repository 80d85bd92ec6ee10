package races

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Parts is the subject of N9: a plan with three subplans, torn, slow and never, which are started in this order, two at a
// time, and fail fast.
type Parts interface {
	// Run works on the subplans until one fails: then no further one is started, and the contexts of those being worked
	// on end. It returns the reported result of each.
	Run(ctx context.Context, work func(ctx context.Context, name string) error) ([]Part, error)
	Close() error
}

// Part is the reported result of a subplan.
type Part struct {
	Name   string
	State  string // complete, failed or cancelled
	Merged bool   // its result is part of the plan's
}

// The states of a Part.
const (
	partComplete  = "complete"
	partFailed    = "failed"
	partCancelled = "cancelled"
)

// errPart is the error of the work of torn.
var errPart = errors.New("the thread is torn")

func failFastRace() Race {
	return race(Race{
		ID:    "N9",
		Issue: 7582,
		Title: "a subplan that never ran is complete",
		Must:  "after a subplan has failed fast, what never started is cancelled, and neither that nor what was still running is merged",
	}, failFast,
		subject[Parts]{Reported, Violated, KindCheck, "what has not failed is called complete, and all that has come to an end is merged", reportedParts},
		subject[Parts]{Ours, Holds, "", "one goroutine decides, and what it has not found complete by then it cancels", ourParts},
	)
}

// PartsWork is the work on the subplans of [Parts], and records it. The zero value is ready for one run.
type PartsWork struct {
	mu   sync.Mutex
	done map[string]bool // of each started subplan: whether its context had not ended
}

// Do works on a subplan; torn fails.
func (w *PartsWork) Do(ctx context.Context, name string) error {
	told := ctx.Err() != nil
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done == nil {
		w.done = make(map[string]bool)
	}
	w.done[name] = !told
	if name == "torn" {
		return errPart
	}
	return nil
}

// Wrong returns what is wrong with the reported results; "" if nothing is.
func (w *PartsWork) Wrong(parts []Part) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(parts) != len(partNames()) {
		return fmt.Sprintf("got %d subplans, want %d", len(parts), len(partNames()))
	}
	for _, p := range parts {
		done, started := w.done[p.Name]
		is := fmt.Sprintf("is %s, merged: %t", p.State, p.Merged)
		dropped := p.State == partCancelled && !p.Merged
		switch {
		case p.Name == "torn" && (p.State != partFailed || p.Merged):
			return "torn has failed, and " + is + "; want it failed and not merged"
		case p.Name == "torn":
		case !started && !dropped:
			return p.Name + " never started, and " + is + "; want it cancelled and not merged"
		case started && !done && !dropped:
			return p.Name + " was running when torn had failed, and " + is + "; want it cancelled and not merged"
		case p.Merged != (p.State == partComplete):
			return p.Name + " " + is + "; want it merged if it is complete, and only then"
		}
	}
	return ""
}

func failFast(t T, s Parts) error {
	var work PartsWork
	parts, err := s.Run(t.Context(), func(ctx context.Context, name string) error {
		t.Logf("work on %s", name)
		return work.Do(ctx, name)
	})
	if err != nil {
		t.Fatalf("run the subplans: got error %v, want none but that of torn", err)
	}
	t.Logf("the run ends: %v", parts)
	if wrong := work.Wrong(parts); wrong != "" {
		t.Errorf("%s", wrong)
	}
	return nil
}
