package jobs

import (
	"context"
	"io"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Expire ends the lease of a job, and the pause before its next attempt, now.
func (q *Queue) Expire(ctx context.Context, id string) error {
	_, err := q.store.change(ctx, id, func(j Job, now time.Time) (Job, error) {
		if j.State == Running {
			j.LeaseEnds = now
		}
		if j.State == Queued {
			j.RunAfter = now
		}
		return j, nil
	})
	return err
}

// Wreck removes the table of jobs, and returns a function that restores it.
func (q *Queue) Wreck(ctx context.Context) (mend func() error, err error) {
	rename := func(from, to string) error {
		return q.store.(databaseStore).database.Write(ctx, func(ctx context.Context, s statements.Session) error {
			_, err := s.Exec(ctx, "ALTER TABLE "+from+" RENAME TO "+to)
			return err
		})
	}
	return func() error { return rename("away", "jobs") }, rename("jobs", "away")
}

// Pause returns the pause after an attempt.
func (w *Worker) Pause(id string, attempt int) time.Duration {
	return w.cfg.pause(Job{ID: id, Attempt: attempt})
}

// Twin returns a queue on the same jobs with its own clock and identifiers.
func (q *Queue) Twin(clock func() time.Time, entropy io.Reader) *Queue {
	twin, _ := New(Config{Clock: clock, Entropy: entropy})
	twin.store = q.store
	return twin
}
