package events

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// pageSize is how many events are held in memory at a time for one who follows them,
// and how many a transaction numbers or prunes.
const pageSize = 256

// Store is where events are kept. It is safe for any number of goroutines.
type Store interface {
	// After returns the events behind a cursor, at most so many; none if there are no
	// more. It fails with a [*CursorError].
	After(ctx context.Context, after Cursor, most int) ([]Event, error)
	// Last returns the cursor of the last event.
	Last(ctx context.Context) (Cursor, error)
	// Prune deletes the events before the first one that is not from before a time,
	// and says how many, also if it fails.
	Prune(ctx context.Context, before time.Time) (int, error)
}

// Follow hands on the events behind a cursor, and waits for more when there are none,
// until there is an error, which it returns, or the events are not wanted any more, when
// it returns nil. It looks for more when the ear hears something, and when it has not
// heard anything for as long as poll.
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

// wait returns when there may be more.
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
