package lifecycle

import (
	"errors"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// primaryCode keeps of a result code what says its kind; the bits above it
// say more closely what happened.
const primaryCode = 0xff

// sqliteKind returns the kind of the driver's error, or nil if it has none.
func sqliteKind(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & primaryCode {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return ErrBusy
	case lib.SQLITE_FULL:
		return ErrFull
	case lib.SQLITE_READONLY:
		return ErrReadOnly
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return ErrCorrupt
	case lib.SQLITE_CANTOPEN, lib.SQLITE_IOERR, lib.SQLITE_PERM, lib.SQLITE_NOMEM, lib.SQLITE_PROTOCOL:
		return ErrUnavailable
	}
	return nil
}

// isBusy reports whether err is the driver's way of saying that another
// connection holds a lock.
func isBusy(err error) bool { return sqliteKind(err) == ErrBusy }
