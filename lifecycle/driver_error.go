package lifecycle

import (
	"errors"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// primaryCode keeps of a result code what says its kind; the bits above it
// say more closely what happened.
const primaryCode = 0xff

// isBusy reports whether err is the driver's way of saying that another
// connection holds a lock.
func isBusy(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & primaryCode
	return code == lib.SQLITE_BUSY || code == lib.SQLITE_LOCKED
}
