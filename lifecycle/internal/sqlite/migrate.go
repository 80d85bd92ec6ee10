package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/pressly/goose/v3"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Migrate implements engine.Database, in a writer's turn.
func (d *Database) Migrate(ctx context.Context) (version int64, err error) {
	if d.migrated.Load() {
		return 0, nil
	}
	err = d.turn(ctx, func(l *lane) error {
		if d.migrated.Load() {
			return nil
		}
		if version, err = d.migrate(ctx, l); err != nil {
			return err
		}
		d.migrated.Store(true)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return version, nil
}

// remigrate is the writer's verify: the file at the path may now be another one than the one that
// was migrated.
func (d *Database) remigrate(ctx context.Context, l *lane) error {
	if !d.migrated.Load() {
		return nil // not migrated yet, so the engine is just being opened
	}
	_, err := d.migrate(ctx, l)
	return err
}

// requireSchema is the reader's verify. It refuses a file whose schema is not current, until a
// writer has migrated it.
func (d *Database) requireSchema(ctx context.Context, l *lane) error {
	if !d.migrated.Load() {
		return nil
	}
	current, err := d.schemaCurrent(ctx, l)
	if err == nil && !current {
		err = d.url.Failed(faults.ErrUnavailable, errors.New("the file has been replaced by one that is not migrated yet"))
	}
	return err
}

// migrate runs the missing migrations, if there are any. The caller has the lane's turn.
func (d *Database) migrate(ctx context.Context, l *lane) (version int64, err error) {
	if done, err := d.schemaCurrent(ctx, l); done || err != nil {
		return 0, err
	}
	err = l.transaction(ctx, func(ctx context.Context) error {
		if done, err := d.schemaCurrent(ctx, l); done || err != nil {
			return err
		}
		if err := l.conn.Raw(func(conn any) error { return d.runGoose(ctx, conn) }); err != nil {
			return l.fault(err)
		}
		version = d.schema.Newest
		_, err := l.Exec(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
	return version, err
}

// schemaCurrent reports whether the schema has the newest version that this program knows. Goose
// keeps the version in a table of its own; it is also kept in the database's header, where one
// cheap read shows that there is nothing to do.
func (d *Database) schemaCurrent(ctx context.Context, l *lane) (bool, error) {
	var version int64
	err := l.Query(ctx, "PRAGMA user_version", nil, func(r statements.Row) error { return r.Scan(&version) })
	if err != nil {
		return false, fmt.Errorf("read the schema version: %w", err)
	}
	current, err := d.schema.Current(version)
	return current, l.url.Failed(faults.ErrNewerSchema, err)
}

// runGoose runs the migrations on a driver's connection that is already inside a transaction.
func (d *Database) runGoose(ctx context.Context, conn any) error {
	borrowed, ok := conn.(driverConn)
	if !ok {
		return fmt.Errorf("the driver's connection is a %T, which cannot be lent to goose", conn)
	}
	files, err := d.schema.Migrations()
	if err != nil {
		return err
	}
	db := sql.OpenDB(lender{borrowed})
	db.SetMaxOpenConns(1)
	defer db.Close() // does not close the borrowed connection
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.Up(context.WithoutCancel(ctx))
	return err
}

// driverConn is what runGoose needs of a driver's connection.
type driverConn interface {
	driver.Conn
	driver.ExecerContext
	driver.QueryerContext
}

// lender is a connector that always returns the same connection. With it goose, which needs a *sql.DB, runs inside the
// writer's transaction.
type lender struct{ conn driverConn }

// Connect implements driver.Connector.
func (l lender) Connect(context.Context) (driver.Conn, error) { return lent{l.conn}, nil }

// Driver implements driver.Connector. There is no driver to return.
func (l lender) Driver() driver.Driver { return nil }

// lent is a borrowed connection. It is not closed, and its transactions are savepoints in the
// owner's transaction.
type lent struct{ driverConn }

// Close implements driver.Conn.
func (lent) Close() error { return nil }

// Begin implements driver.Conn.
func (c lent) Begin() (driver.Tx, error) { return c.BeginTx(context.Background(), driver.TxOptions{}) }

// BeginTx implements driver.ConnBeginTx.
func (c lent) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	return savepoint{c}, c.run(ctx, "SAVEPOINT migration")
}

func (c lent) run(ctx context.Context, query string) error {
	_, err := c.ExecContext(ctx, query, nil)
	return err
}

// savepoint is a transaction within a transaction.
type savepoint struct{ conn lent }

// Commit implements driver.Tx.
func (s savepoint) Commit() error {
	return s.conn.run(context.Background(), "RELEASE migration")
}

// Rollback implements driver.Tx.
func (s savepoint) Rollback() error {
	return s.conn.run(context.Background(), "ROLLBACK TO migration; RELEASE migration")
}
