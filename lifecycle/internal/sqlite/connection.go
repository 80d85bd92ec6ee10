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

// ready sees to it that there is a connection, and that it leads to the file
// that is at its path now. The caller holds the slot.
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

// setUp makes a new connection ready for use.
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
		l.file, _ = l.look() // there was none before
	}
	if err := l.inPlace(); err != nil {
		return l.url.Failed(faults.ErrUnavailable, err)
	}
	return l.verify(ctx, l)
}

// errReplaced says that the file at the path is not the one that was opened.
var errReplaced = errors.New("another file has taken the place of the one that was opened")

// inPlace reports whether the file that was opened, if one was, is still at its
// path: the error is errReplaced, or says that there is none. The caller holds
// the slot.
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

// look returns what is at the path of the database: nil if it is in memory.
func (l *lane) look() (os.FileInfo, error) {
	if l.url.InMemory() {
		return nil, nil
	}
	return os.Stat(l.url.Path)
}

// why adds to the error of opening a file, which says no reason, what can be
// seen from outside. It must not open the file: closing it again would end the
// locks that SQLite has on it in this process.
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

// fault says of an error of the driver's what it means for the caller, and for
// the connection. The caller holds the slot.
func (l *lane) fault(err error) error {
	kind := databases.SQLiteKind(err)
	if kind == faults.ErrUnavailable || kind == faults.ErrReadOnly || kind == faults.ErrCorrupt {
		l.spoiled = true
	}
	return l.url.Failed(kind, err)
}

// disconnect closes the connection for good. The caller holds the slot.
func (l *lane) disconnect() {
	l.forget() // first: database/sql does not track the statements of a Conn
	// Raw hands the error to the pool, which discards the connection for it.
	_ = l.conn.Raw(func(any) error { return driver.ErrBadConn })
	l.conn, l.file = nil, nil
}

// forget closes the prepared statements. The caller holds the slot.
func (l *lane) forget() {
	for _, stmt := range l.stmts {
		_ = stmt.Close() // what a statement has to report was reported when it ran
	}
	clear(l.stmts)
	if l.counting != nil {
		_ = l.counting.Close()
		l.counting = nil
	}
}
