package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// store stores jobs: memory_store.go in memory, database_store.go in a database. Arguments and
// results share no memory with what is stored.
type store interface {
	// insert adds a job that may run delay after the store's time. The error can be an
	// AlreadyExistsError.
	insert(ctx context.Context, j Job, delay time.Duration) (Job, error)
	// find returns a job, or a NotFoundError.
	find(ctx context.Context, id string) (Job, error)
	// list returns the jobs in a state, or all, ordered by identifier: in a database one snapshot,
	// in memory each as it was at some moment of the call.
	list(ctx context.Context, state State) ([]Job, error)
	// next returns the oldest job that a claim can take.
	next(ctx context.Context) (id string, ok bool, err error)
	// change replaces a job by decide's result, in one compare-and-swap of the version that decide
	// got, or leaves it if decide fails. decide is called again if another change came first.
	change(ctx context.Context, id string, decide decision) (Job, error)
}

// decision returns the job after a change at the store's time now, or an error to leave it.
type decision func(j Job, now time.Time) (Job, error)

// errNotNow is the decision not to claim a job.
var errNotNow = errors.New("jobs: nothing to claim")

func alreadyExists(id string) error {
	return &lifecycle.AlreadyExistsError{Kind: "job", ID: id}
}

// decided returns decide's job as the next version.
func decided(j Job, now time.Time, decide decision) (Job, error) {
	next, err := decide(j, now)
	if err != nil {
		return Job{}, err
	}
	next.version, next.UpdatedAt = j.version+1, now
	return next, nil
}
