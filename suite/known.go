package suite

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// The schedules with which a test has failed before run first: at most mostKnown for a test, none
// for longer than knownTime.
const (
	mostKnown = 5
	knownTime = time.Minute
)

// A failure is a failure of a test in this run or an earlier one.
type failure struct {
	Card          string
	Kind, Message string `json:",omitempty"`
	// Held means that the schedule did not fail when it was last run, and that this was reported.
	Held bool `json:",omitempty"`
}

// what describes a failure in a few words; "" if nothing is known of it.
func (f failure) what() string {
	if f.Kind == "" {
		return ""
	}
	return " (" + brief(f.Kind, f.Message) + ")"
}

// retryAll runs the schedules that have failed before, until time is up. A test for which one fails
// again has failed, and is not explored.
func (r *run) retryAll(ctx context.Context, all []*exploration, end time.Time) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(r.cfg.Workers)
	var enough atomic.Bool
	for _, x := range all {
		if len(x.known) == 0 {
			continue
		}
		g.Go(func() error {
			if enough.Load() {
				return nil
			}
			defer r.alone(x.test)()
			began := time.Now()
			defer func() { x.took += time.Since(began) }()
			err := r.retry(inner, x, end)
			if x.result != nil {
				r.settle(x.test)
			}
			if r.cfg.FailFast && x.failed() {
				enough.Store(true)
			}
			return err
		})
	}
	err := g.Wait()
	if ctx.Err() != nil {
		return nil // it is the reason for err
	}
	return err
}

// retry runs the known failures of a test until one fails again.
func (r *run) retry(ctx context.Context, x *exploration, end time.Time) error {
	for i := range x.known {
		f := &x.known[i]
		if slices.Contains(x.past.Tried, cardID(f.Card)) {
			continue
		}
		if time.Now().After(end) {
			return nil
		}
		short, cancel := context.WithTimeoutCause(ctx, r.cfg.knownTime, child.Silent(r.cfg.knownTime))
		e, err := r.follow(short, Card{Test: x.name, Text: f.Card})
		cancel()
		if err != nil && ctx.Err() != nil {
			return nil // the caller has ended ctx
		}
		if err != nil && !isSilence(err) && !errors.Is(err, ErrReplay) {
			return err
		}
		if x.tried(f, e, err); x.result != nil {
			return nil
		}
	}
	return nil
}

// tried records the result of a known failure's schedule.
func (x *exploration) tried(f *failure, e protocol.Event, err error) {
	const before = "the schedule that failed before"
	failed := err == nil && e.Verdict == violated
	switch {
	case failed && x.excuses(e):
		x.meets(e)
		return
	case failed && e.Replayed == otherwise: // what failed before may still be there
		x.notes = append(x.notes, note{before + f.what() + " fails differently now", false})
	case failed:
		x.notes = append(x.notes, note{before + " fails again", false})
		x.forgotten = append(x.forgotten, f.Card) // the failure has a new card
	case err == nil && e.Replayed == gone:
		x.notes = append(x.notes, note{before + " holds now" + f.what(), f.Held})
		f.Held = true
	default:
		why := e.Reason
		if err != nil {
			why = err.Error()
		}
		x.notes = append(x.notes, note{before + f.what() + " cannot be followed: " + why, false})
		x.forgotten = append(x.forgotten, f.Card)
	}
	if failed {
		e.Concurrent, e.Distinct = true, 1
		x.result = &e
	} else {
		x.past.Tried = append(x.past.Tried, cardID(f.Card))
	}
}

// remember returns the known failures of a test after a run, the newest first.
func (x *exploration) remember(known []failure) []failure {
	var all []failure
	add := func(f failure) {
		same := func(g failure) bool { return g.Card == f.Card }
		if len(all) < mostKnown && !slices.ContainsFunc(all, same) {
			all = append(all, f)
		}
	}
	if e := x.last(); x.violates() && e.Card != "" {
		add(failure{Card: e.Card, Kind: e.Kind, Message: e.Message})
	}
	for _, f := range known {
		i := slices.IndexFunc(x.known, func(g failure) bool { return g.Card == f.Card })
		f.Held = f.Held || i >= 0 && x.known[i].Held
		if !slices.Contains(x.forgotten, f.Card) {
			add(f)
		}
	}
	return all
}
