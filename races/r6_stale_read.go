package races

import (
	"context"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Shared is the subject of R6 and R7: one SQLite file with one plan in it, opened by two instances of a service, each
// with its own connections and its own cache.
type Shared interface {
	A() Instance
	B() Instance
	// Moves returns how often the plan was moved since the file was set up, according to the database.
	Moves(ctx context.Context) (int, error)
	Close() error
}

// Instance is one instance of the service. Its methods are about the one plan.
type Instance interface {
	// Position returns the plan's position.
	Position(ctx context.Context) (lifecycle.Position, error)
	// Start moves the plan from strategize/queued to strategize/processing.
	Start(ctx context.Context) error
	// Apply moves the plan from execute/complete to apply/queued.
	Apply(ctx context.Context) error
}

// The plan's positions at the beginning and at the end of R6, and of R7.
func queued() lifecycle.Position     { return at(lifecycle.PhaseStrategize, lifecycle.StateQueued) }
func processing() lifecycle.Position { return at(lifecycle.PhaseStrategize, lifecycle.StateProcessing) }
func executed() lifecycle.Position   { return at(lifecycle.PhaseExecute, lifecycle.StateComplete) }
func applying() lifecycle.Position   { return at(lifecycle.PhaseApply, lifecycle.StateQueued) }

func at(phase lifecycle.Phase, state lifecycle.State) lifecycle.Position {
	return lifecycle.Position{Phase: phase, State: state}
}

func staleReadRace() Race {
	return race(Race{
		ID:    "R6",
		Issue: 7424,
		Title: "a read of what another instance has moved on",
		Must:  "a read after another instance's commit has returned sees that commit",
	}, staleRead,
		subject[Shared]{Reported, Violated, KindCheck, "what is in the cache is never read again", reportedShared(queued())},
		subject[Shared]{Suggested, Holds, "", "every get of a plan reads the database", suggestedShared(queued())},
		subject[Shared]{Ours, Holds, "", "the cache answers only while the database proves that nothing was committed since", ourShared(queuedPlan)},
	)
}

func staleRead(t T, s Shared) error {
	ctx := t.Context()
	// Instance B's cache is empty. Its first read fills it, before, while or after instance A moves the plan: the cached
	// plan must not outlive the commit even if the two overlap.
	committed := make(chan struct{})
	var startErr, meanwhileErr, afterwardsErr error
	var meanwhile, afterwards lifecycle.Position
	t.Go("instance A moves on", func() {
		defer close(committed)
		startErr = s.A().Start(ctx)
		t.Logf("move the plan from %s to %s: %s", queued(), processing(), result(startErr))
	})
	t.Go("instance B reads", func() {
		meanwhile, meanwhileErr = s.B().Position(ctx)
		t.Logf("read %s", meanwhile)
		<-committed
		afterwards, afterwardsErr = s.B().Position(ctx)
		t.Logf("read %s after the commit", afterwards)
	})
	t.Wait()
	switch {
	case startErr != nil || meanwhileErr != nil || afterwardsErr != nil:
		t.Errorf("instance A got error %v; instance B got errors %v and %v; want none", startErr, meanwhileErr, afterwardsErr)
	case afterwards != processing():
		t.Errorf("instance A's commit of %s had returned, and instance B read %s", processing(), afterwards)
	case meanwhile != queued() && meanwhile != processing():
		t.Errorf("instance B read %s, where the plan never was", meanwhile)
	}
	return nil
}
