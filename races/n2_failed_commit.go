package races

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Refused is the subject of N2: one instance of the service, which has read its one plan, at strategize/queued, on a
// database that refuses to commit changes of a plan.
type Refused interface {
	// Start moves the plan from strategize/queued to strategize/processing, which cannot be committed.
	Start(ctx context.Context) error
	// Position returns the plan's position.
	Position(ctx context.Context) (lifecycle.Position, error)
	// Listed returns the plan's position in a listing of all plans.
	Listed(ctx context.Context) (lifecycle.Position, error)
	Close() error
}

// errNotListed means that the one plan is not in a listing.
var errNotListed = errors.New("the plan is not listed")

func failedCommitRace() Race {
	return race(Race{
		ID:    "N2",
		Issue: 7137,
		Title: "a change that was not committed is seen",
		Must:  "a failed commit changes nothing: nobody sees, then or later, what was not committed",
	}, failedCommit,
		subject[Refused]{Reported, Violated, KindCheck, "the object in the cache is changed before it is committed, and stays so", reportedRefused},
		subject[Refused]{Suggested, Violated, KindCheck, "under #7424 a get reads the database, and a listing still shows what the cache holds", suggestedRefused},
		subject[Refused]{Ours, Holds, "", "the cache holds nothing but what was read from the database", ourRefused},
	)
}

func failedCommit(t T, s Refused) error {
	ctx := t.Context()
	var startErr error
	var meanwhile sight
	t.Go("mover", func() {
		startErr = s.Start(ctx)
		t.Logf("move the plan from %s to %s: %s", queued(), processing(), result(startErr))
	})
	t.Go("reader", func() { meanwhile = look(t, s) })
	t.Wait()
	if startErr == nil {
		return errors.New("the database was to refuse the commit, and the plan was moved")
	}
	for _, seen := range []sight{meanwhile, look(t, s)} {
		if seen.err != nil {
			t.Fatalf("reader: got error %v, want none", seen.err)
		}
		if seen != (sight{got: queued(), listed: queued()}) {
			t.Fatalf("the commit of %s failed, and a listing shows the plan at %s, a get at %s; want %s", processing(), seen.listed, seen.got, queued())
		}
	}
	return nil
}

// A sight is the plan's position as a reader sees it.
type sight struct {
	got, listed lifecycle.Position
	err         error
}

// look lists before it gets, because a get may correct the cache that a listing shows.
func look(t T, s Refused) sight {
	listed, err1 := s.Listed(t.Context())
	got, err2 := s.Position(t.Context())
	t.Logf("the plan is listed at %s; a get returns it at %s", listed, got)
	return sight{got, listed, errors.Join(err1, err2)}
}
