package races

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Leases is the subject of N10: one SQLite file with one plan in it, and two workers, each with an instance of the
// service. Worker A has started the plan, which is at strategize/processing, and has hung since.
type Leases interface {
	A() Holder
	B() Holder
	Close() error
}

// Holder is a worker on the one plan.
type Holder interface {
	// TakeOver gives the plan to this worker, as soon as the present holder's time is over.
	TakeOver(ctx context.Context) error
	// Finish takes the plan to strategize/complete.
	Finish(ctx context.Context) error
	// Position returns the plan's position.
	Position(ctx context.Context) (lifecycle.Position, error)
}

// The workers of N10, as errors name them.
const workerA, workerB = "worker A", "worker B"

func planned() lifecycle.Position { return at(lifecycle.PhaseStrategize, lifecycle.StateComplete) }

func leasesRace() Race {
	return race(Race{
		ID:    "N10",
		Issue: 4372,
		Title: "a plan that a worker has begun and left",
		Must:  "a lease that expires: another worker takes the plan over, and what the first one writes late is refused",
	}, leases,
		subject[Leases]{Reported, Violated, KindCheck, "what has been begun can be ended by whoever has begun it, and by nobody else for ever", reportedLeases},
		subject[Leases]{Suggested, Violated, KindCheck, "under #7424 the guard reads the database, which says that the plan is being worked on", suggestedLeases},
		subject[Leases]{Ours, Holds, "", "a claim expires by the database's clock, and every change carries the number of one", ourLeases},
	)
}

func leases(t T, s Leases) error {
	ctx := t.Context()
	t.Logf("worker A has begun the plan, and hangs")
	err := s.B().TakeOver(ctx)
	t.Logf("worker B takes the plan over: %s", result(err))
	if err != nil {
		t.Fatalf("worker A does not go on, and worker B got %v; want it to take the plan over", err)
	}
	var errA, errB error
	finish := func(h Holder) error {
		err := h.Finish(ctx)
		t.Logf("finish the plan: %s", result(err))
		return err
	}
	t.Go(workerA+", late", func() { errA = finish(s.A()) })
	t.Go(workerB, func() { errB = finish(s.B()) })
	t.Wait()
	var claimed *lifecycle.ClaimedError
	switch {
	case errA == nil:
		t.Fatalf("worker B has taken the plan over, and what worker A wrote late was accepted; worker B got %v", errB)
	case errB != nil:
		t.Fatalf("worker B has taken the plan over, and got %v; want none", errB)
	case !errors.As(errA, &claimed) || claimed.Claim.Holder != workerB:
		t.Fatalf("worker A got %v, want an error that names worker B", errA)
	}
	if at, err := s.A().Position(ctx); err != nil || at != planned() {
		t.Errorf("the plan was finished, and is at %s, %v; want %s", at, err, planned())
	}
	return nil
}
