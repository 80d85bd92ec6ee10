package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// store keeps jobs: in memory_store.go in memory, in database_store.go on a
// database. What goes in and comes out shares nothing with what is kept.
type store interface {
	// insert adds a job. It may run a while after the store's time. It fails with
	// an AlreadyExistsError.
	insert(ctx context.Context, j Job, delay time.Duration) (Job, error)
	// find returns a job, or a NotFoundError.
	find(ctx context.Context, id string) (Job, error)
	// list returns the jobs in a state, or all, by identifier: on a database one
	// state of it, in memory each as it was at some moment of the call.
	list(ctx context.Context, state State) ([]Job, error)
	// next returns the oldest job that a claim has something to do with.
	next(ctx context.Context) (id string, ok bool, err error)
	// change replaces a job by what decide makes of it, in one compare-and-swap
	// of the version that it was given, or leaves it if that is an error. decide is
	// called again if another change came first.
	change(ctx context.Context, id string, decide decision) (Job, error)
}

// decision says what becomes of a job at a time of the store.
type decision func(j Job, now time.Time) (Job, error)

// errNotNow is a decision not to claim.
var errNotNow = errors.New("jobs: nothing to claim")

func alreadyExists(id string) error {
	return &lifecycle.AlreadyExistsError{Kind: "job", ID: id}
}

// decided returns what becomes of a job, as the next version.
func decided(j Job, now time.Time, decide decision) (Job, error) {
	next, err := decide(j, now)
	if err != nil {
		return Job{}, err
	}
	next.version, next.UpdatedAt = j.version+1, now
	return next, nil
}
