package databases

import (
	"errors"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// primaryCode masks the part of a result code that says its kind; the bits above it give details.
const primaryCode = 0xff

// SQLiteKind returns the kind of the driver's error, or nil if it has none.
func SQLiteKind(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & primaryCode {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return faults.ErrBusy
	case lib.SQLITE_FULL:
		return faults.ErrFull
	case lib.SQLITE_READONLY:
		return faults.ErrReadOnly
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return faults.ErrCorrupt
	case lib.SQLITE_CANTOPEN, lib.SQLITE_IOERR, lib.SQLITE_PERM, lib.SQLITE_NOMEM, lib.SQLITE_PROTOCOL:
		return faults.ErrUnavailable
	}
	return nil
}

// IsBusy reports whether err is the driver's error for a lock that another connection holds.
func IsBusy(err error) bool { return SQLiteKind(err) == faults.ErrBusy }
