package reported

import (
	"context"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
)

// busyPause is the pause before a locked file is tried again; busyTries is how often it is tried: five seconds in all.
const (
	busyPause = 5 * time.Millisecond
	busyTries = 1000
)

// sqliteBusy is SQLITE_BUSY, the low byte of every result code that means that another connection has locked the file.
const sqliteBusy = 5

// untilFree calls f again for as long as it fails because another connection has the file locked, for five seconds at most.
//
// SQLite can wait by itself (PRAGMA busy_timeout), but sleeps in the operating system, unseen by the Go scheduler: a
// harness that runs one goroutine at a time would then wait for a lock whose holder cannot run. It sees a timer.
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
