package storetest

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"modernc.org/sqlite"
)

// Faults sits between database/sql and SQLite and makes one step of the driver fail. A step that
// fails is not passed on.
type Faults struct {
	driver.Connector

	mu    sync.Mutex
	count int   // steps since armed
	at    int   // the step that fails; 0 for none
	with  error // how it fails
	on    bool  // whether all later steps fail too
	fired bool
	hold  *hold // if not nil, the step blocks instead of failing

	live  map[sqliteConn]bool // the connections that are open
	pages int                 // the most that the database may have; 0 for no bound
}

// NewFaults returns faults, not armed, on the file of a URL.
func NewFaults(t testing.TB, url string) *Faults {
	t.Helper()
	connector, err := sqlite.NewConnector(strings.TrimPrefix(url, "sqlite:///"))
	if err != nil {
		t.Fatal(err)
	}
	return &Faults{Connector: connector, live: make(map[sqliteConn]bool)}
}

// Arm makes the step with number at, counted from 1 from now on, fail.
func (f *Faults) Arm(at int, with error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count, f.at, f.with, f.on, f.fired = 0, at, with, false, false
}

// Block makes the next step block until release is called; began is closed when it blocks.
func (f *Faults) Block() (began <-chan struct{}, release func()) {
	f.Arm(1, nil)
	f.mu.Lock()
	defer f.mu.Unlock()
	h := &hold{make(chan struct{}), make(chan struct{})}
	f.hold = h
	return h.began, func() { close(h.over) }
}

type hold struct{ began, over chan struct{} }

// KeepFailing makes all steps after the failing one fail too.
func (f *Faults) KeepFailing() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on = true
}

// Disarm reports whether the fault has happened, and returns how many steps there were.
func (f *Faults) Disarm() (fired bool, steps int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = 0
	return f.fired, f.count
}

func (f *Faults) step() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if f.at == 0 || f.count != f.at && !(f.on && f.count > f.at) {
		return nil
	}
	f.fired = true
	if f.hold == nil {
		return f.with
	}
	h := f.hold
	f.at, f.hold = 0, nil
	f.mu.Unlock()
	defer f.mu.Lock()
	close(h.began)
	<-h.over
	return nil
}

// Connect implements driver.Connector.
func (f *Faults) Connect(ctx context.Context) (driver.Conn, error) {
	if err := f.step(); err != nil {
		return nil, err
	}
	c, err := f.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live[c.(sqliteConn)] = true
	return &faultyConn{c.(sqliteConn), f}, f.bound(c.(sqliteConn))
}

// Limit bounds the pages of the database, whose connections must all be idle. The bound cannot be
// less than the present number; 0 is none.
func (f *Faults) Limit(t testing.TB, pages int) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages = pages
	for c := range f.live {
		if err := f.bound(c); err != nil {
			t.Fatal(err)
		}
	}
}

func (f *Faults) bound(c sqliteConn) error {
	const most = math.MaxInt32 - 1
	_, err := c.ExecContext(context.Background(), fmt.Sprint("PRAGMA max_page_count = ", cmp.Or(f.pages, most)), nil)
	return err
}

type sqliteConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

type faultyConn struct {
	sqliteConn
	faults *Faults
}

func (c *faultyConn) Close() error {
	c.faults.mu.Lock()
	delete(c.faults.live, c.sqliteConn)
	c.faults.mu.Unlock()
	return c.sqliteConn.Close()
}

func (c *faultyConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.faults.step(); err != nil {
		return nil, err
	}
	return c.sqliteConn.ExecContext(ctx, query, args)
}

func (c *faultyConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.faults.step(); err != nil {
		return nil, err
	}
	return c.sqliteConn.QueryContext(ctx, query, args)
}

func (c *faultyConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if err := c.faults.step(); err != nil {
		return nil, err
	}
	s, err := c.sqliteConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	reads := strings.HasPrefix(strings.TrimSpace(query), "SELECT")
	return &faultyStmt{s.(sqliteStmt), c.faults, reads}, nil
}

type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type faultyStmt struct {
	sqliteStmt
	faults *Faults
	reads  bool
}

func (s *faultyStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.faults.step(); err != nil {
		return nil, err
	}
	return s.sqliteStmt.ExecContext(ctx, args)
}

func (s *faultyStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.faults.step(); err != nil {
		return nil, err
	}
	rows, err := s.sqliteStmt.QueryContext(ctx, args)
	if err != nil || !s.reads {
		return rows, err // a write that has returned a row has happened
	}
	return &faultyRows{rows, s.faults}, nil
}

type faultyRows struct {
	driver.Rows
	faults *Faults
}

func (r *faultyRows) Next(dest []driver.Value) error {
	if err := r.faults.step(); err != nil {
		return err
	}
	return r.Rows.Next(dest)
}

// ErrInjected is an error of no particular kind.
var ErrInjected = errors.New("injected")
