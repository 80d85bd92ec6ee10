package events

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// pageSize is how many events are held in memory at a time for a follower, and how many a
// transaction numbers or prunes.
const pageSize = 256

// Store stores events. It is safe for concurrent use.
type Store interface {
	// After returns the events after a cursor, at most most of them; none if there are no more. It
	// fails with a [*CursorError].
	After(ctx context.Context, after Cursor, most int) ([]Event, error)
	// Last returns the cursor of the last event.
	Last(ctx context.Context) (Cursor, error)
	// Prune deletes the events before the first one that is not older than before, and returns how
	// many, even if it fails.
	Prune(ctx context.Context, before time.Time) (int, error)
}

// Follow passes the events after a cursor to wanted, and waits for more when there are none. It
// returns the first error, or nil once wanted returns false. It reads again when the ear hears a
// ring, and at least every poll.
func Follow(
	ctx context.Context, after Cursor, read func(context.Context, Cursor, int) ([]Event, error),
	ear engine.Ear, poll time.Duration, wanted func(Event) bool,
) error {
	for {
		page, err := read(ctx, after, pageSize)
		if err != nil {
			return err
		}
		for _, e := range page {
			if err := over(ctx, after); err != nil {
				return err
			}
			if !wanted(e) {
				return nil
			}
			after = e.Cursor
		}
		if len(page) == 0 {
			if err := wait(ctx, after, ear, poll); err != nil {
				return err
			}
		}
	}
}

// wait returns when there may be more events.
func wait(ctx context.Context, after Cursor, ear engine.Ear, poll time.Duration) error {
	timer := time.NewTimer(poll)
	defer timer.Stop()
	select {
	case <-ear:
	case <-timer.C:
	case <-ctx.Done():
	}
	return over(ctx, after)
}

func over(ctx context.Context, after Cursor) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("lifecycle: events after cursor %d: %w", after, err)
	}
	return nil
}
