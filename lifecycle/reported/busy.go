package reported

import (
	"context"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
)

// busyPause is how long a call waits before it tries a locked file again; busyTries is how often it does: five seconds in all.
const (
	busyPause = 5 * time.Millisecond
	busyTries = 1000
)

// sqliteBusy is SQLITE_BUSY, the low byte of every result code that means "another connection has the file locked".
const sqliteBusy = 5

// untilFree calls f again for as long as it fails because another connection has the file locked, for five seconds at most.
//
// SQLite can wait by itself (PRAGMA busy_timeout), but it sleeps in the operating system, out of the Go scheduler's sight: a
// harness that runs one goroutine at a time would wait with it for a lock whose holder cannot run. A timer can be seen.
func untilFree(ctx context.Context, f func() error) error {
	var err error
	for range busyTries {
		if err = f(); !isBusy(err) {
			return err
		}
		pause := time.NewTimer(busyPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return fmt.Errorf("%w while waiting: %w", ctx.Err(), err)
		}
	}
	return fmt.Errorf("file still locked after %v: %w", busyTries*busyPause, err)
}

func isBusy(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && failure.Code()&0xff == sqliteBusy
}
