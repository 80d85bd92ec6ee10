package races_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/internal/testrun"
)

// fakeLockers answers calls of Acquire in order: those of A and B, which race, then the loser's, then the winner's.
type fakeLockers struct {
	answers []error
	release error
}

func (f *fakeLockers) A() races.Locker                       { return f }
func (f *fakeLockers) B() races.Locker                       { return f }
func (f *fakeLockers) Close() error                          { return nil }
func (f *fakeLockers) Release(context.Context, string) error { return f.release }
func (f *fakeLockers) Acquire(context.Context, string, string) error {
	err := f.answers[0]
	f.answers = f.answers[1:]
	return err
}

func TestLockedTwiceBody(t *testing.T) {
	a, b := &locks.HeldError{Lock: locks.Lock{Owner: "owner A"}}, &locks.HeldError{Lock: locks.Lock{Owner: "owner B"}}
	for want, subject := range map[string]*fakeLockers{
		"": {answers: []error{nil, a, nil, b}},
		"both owners were given the resource loom":                           {answers: []error{nil, nil}},
		"nobody was given the resource loom, whose lock had expired":         {answers: []error{b, a}},
		"the loser got disk full, want an error that names the other":        {answers: []error{errDisk, nil}},
		"the loser got locks: ":                                              {answers: []error{nil, b}},
		"release by owner A: got disk full, want no error":                   {answers: []error{nil, a}, release: errDisk},
		"owner B has released the resource, and owner A got disk full":       {answers: []error{b, nil, errDisk}},
		"owner B has the resource, and owner A got <nil>; want an error":     {answers: []error{nil, a, nil, nil}},
		"owner A has the resource, and owner B got disk full; want an error": {answers: []error{b, nil, nil, errDisk}},
	} {
		judge(t, want, func(t races.T) error { return races.LockedTwiceBody(t, subject) })
	}
}

// fakePollers finds a job or not, as founds says call by call.
type fakePollers struct {
	founds []bool
	err    error
}

func (f *fakePollers) A() races.Poller { return f }
func (f *fakePollers) B() races.Poller { return f }
func (f *fakePollers) Close() error    { return nil }
func (f *fakePollers) Poll(_ context.Context, do func() error) (bool, error) {
	found := f.founds[0]
	f.founds = f.founds[1:]
	if found {
		_ = do()
	}
	return found, f.err
}

func TestRunTwiceBody(t *testing.T) {
	for want, subject := range map[string]*fakePollers{
		"":                              {founds: []bool{false, true, false}},
		"both workers ran the one job":  {founds: []bool{true, true}},
		"worker A got error disk full;": {founds: []bool{true, false}, err: errDisk},
		"no worker ran the job":         {founds: []bool{false, false}},
		"a worker that looks afterwards found one: true": {founds: []bool{true, false, true}},
	} {
		judge(t, want, func(t races.T) error { return races.RunTwiceBody(t, subject) })
	}
}

// fakeLeases has the answers to both workers.
type fakeLeases struct {
	takeOver, finishA, finishB error
	at                         lifecycle.Position
}

func (f fakeLeases) A() races.Holder { return fakeHolder{f, f.finishA} }
func (f fakeLeases) B() races.Holder { return fakeHolder{f, f.finishB} }
func (f fakeLeases) Close() error    { return nil }

type fakeHolder struct {
	fakeLeases
	finish error
}

func (f fakeHolder) TakeOver(context.Context) error { return f.takeOver }
func (f fakeHolder) Finish(context.Context) error   { return f.finish }
func (f fakeHolder) Position(context.Context) (lifecycle.Position, error) {
	return f.at, nil
}

func TestLeasesBody(t *testing.T) {
	refused := &lifecycle.ClaimedError{Claim: lifecycle.Claim{Holder: "worker B", Fence: 2}, Yours: 1}
	done := lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateComplete}
	for want, subject := range map[string]fakeLeases{
		"": {finishA: refused, at: done},
		"worker A does not go on, and worker B got disk full":                                 {takeOver: errDisk},
		"what worker A wrote late was accepted; worker B got disk full":                       {finishB: errDisk},
		"worker B has taken the plan over, and got disk full; want none":                      {finishA: refused, finishB: errDisk},
		"worker A got disk full, want an error that names worker B":                           {finishA: errDisk},
		"worker A got lifecycle: plan":                                                        {finishA: &lifecycle.ClaimedError{Claim: lifecycle.Claim{Holder: "worker A"}}},
		"the plan was finished, and is at strategize/queued, <nil>; want strategize/complete": {finishA: refused, at: stillQueued},
	} {
		judge(t, want, func(t races.T) error { return races.LeasesBody(t, subject) })
	}
}

// with opens the subject of a cell sequentially, and closes it after use.
func with[S races.Subject](t *testing.T, id string, use func(S)) {
	t.Helper()
	s := &testrun.Sequential{Host: t}
	err := s.Run(func(host races.T) error {
		_, cell, err := races.Find(id)
		if err != nil {
			return err
		}
		subject, err := cell.Open(host)
		if err != nil {
			return err
		}
		use(subject.(S))
		return subject.Close()
	})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
}

// Only fuzzed programs, and not the bodies, make these calls on the subjects of N5 and N10.
func TestSubjectsWithLeases(t *testing.T) {
	ctx := t.Context()
	with(t, "N10/reported", func(s races.Leases) {
		if err := s.A().Finish(ctx); err != nil {
			t.Errorf("finish by the worker that began the plan: got %v, want no error", err)
		}
	})
	with(t, "N10/ours", func(s races.Leases) {
		if err := s.B().TakeOver(ctx); err != nil {
			t.Errorf("take over a plan that nobody has: got %v, want no error", err)
		}
		ended, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		if err := s.A().TakeOver(ended); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("take over a plan that another worker has: got %v, want the context's error", err)
		}
	})
	for _, id := range []string{"N5/reported", "N5/ours"} {
		with(t, id, func(s races.Pollers) {
			found, err := s.A().Poll(ctx, func() error { return errDisk })
			if !found || err != nil {
				t.Errorf("%s: poll a job that fails: got found %t, error %v; want found, and no error", id, found, err)
			}
		})
	}
}
