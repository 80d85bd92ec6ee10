package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// ready makes sure that there is a connection, and that it has opened the file that is at its path
// now. The caller holds the slot.
func (l *lane) ready(ctx context.Context) error {
	if l.closed {
		return databases.EngineClosed()
	}
	switch err := l.inPlace(); {
	case errors.Is(err, errReplaced):
		l.disconnect()
	case err != nil:
		return fmt.Errorf("lifecycle: %w", l.url.Failed(faults.ErrUnavailable, err))
	}
	if l.conn == nil {
		return l.connect(ctx)
	}
	return nil
}

// connect takes a connection and prepares it. Only the first one may create
// the file. The caller holds the slot.
func (l *lane) connect(ctx context.Context) error {
	file, err := l.look()
	if err != nil && l.epoch > 0 {
		return fmt.Errorf("lifecycle: connect: %w", l.url.Failed(faults.ErrUnavailable, err))
	}
	conn, err := l.db.Conn(context.WithoutCancel(ctx))
	if err != nil {
		return fmt.Errorf("lifecycle: connect: %w", l.fault(l.why(err)))
	}
	l.conn, l.stmts, l.file = conn, make(map[string]*sql.Stmt), file
	if err := l.setUp(ctx); err != nil {
		l.disconnect()
		return fmt.Errorf("lifecycle: connect: %w", err)
	}
	l.epoch++
	return nil
}

// setUp prepares a new connection for use.
func (l *lane) setUp(ctx context.Context) error {
	for _, statement := range l.setup {
		err := l.patiently(ctx, func(uncancelled context.Context) error {
			_, err := l.conn.ExecContext(uncancelled, statement)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	if l.file == nil {
		l.file, _ = l.look() // the connection has just created it
	}
	if err := l.inPlace(); err != nil {
		return l.url.Failed(faults.ErrUnavailable, err)
	}
	return l.verify(ctx, l)
}

// errReplaced says that the file at the path is not the one that the connection opened.
var errReplaced = errors.New("another file has taken the place of the one that was opened")

// inPlace returns nil if the file that the connection opened, if any, is still at its path,
// errReplaced if another file is, or an error if none is. The caller holds the slot.
func (l *lane) inPlace() error {
	if l.file == nil {
		return nil
	}
	file, err := l.look()
	if err == nil && !os.SameFile(file, l.file) {
		err = errReplaced
	}
	return err
}

// look returns the file at the path of the database: nil if it is in memory.
func (l *lane) look() (os.FileInfo, error) {
	if l.url.InMemory() {
		return nil, nil
	}
	return os.Stat(l.url.Path)
}

// why adds to an error of opening a file, which gives no reason, what the file system says about
// the file. It must not open the file: closing it again would drop the locks that SQLite holds on
// it in this process.
func (l *lane) why(err error) error {
	file, reason := l.look()
	switch {
	case reason != nil:
		return fmt.Errorf("%w: %w", err, reason)
	case file != nil:
		return fmt.Errorf("%w: its mode is %v", err, file.Mode())
	}
	return err
}

// fault translates an error of the driver into the error for the caller, and marks the connection
// spoiled if it must not be used again. The caller holds the slot.
func (l *lane) fault(err error) error {
	kind := databases.SQLiteKind(err)
	if kind == faults.ErrUnavailable || kind == faults.ErrReadOnly || kind == faults.ErrCorrupt {
		l.spoiled = true
	}
	return l.url.Failed(kind, err)
}

// disconnect closes the connection and discards it. The caller holds the slot.
func (l *lane) disconnect() {
	l.forget() // first: database/sql does not track the statements of a Conn
	// The pool discards the connection because Raw gets this error.
	_ = l.conn.Raw(func(any) error { return driver.ErrBadConn })
	l.conn, l.file = nil, nil
}

// forget closes the prepared statements. The caller holds the slot.
func (l *lane) forget() {
	for _, stmt := range l.stmts {
		_ = stmt.Close() // its errors were returned when it ran
	}
	clear(l.stmts)
	if l.counting != nil {
		_ = l.counting.Close()
		l.counting = nil
	}
}
