package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Migrate implements engine.Database. One caller of this engine migrates at a time, and an advisory
// lock excludes those of other processes.
func (d *Database) Migrate(ctx context.Context) (version int64, err error) {
	if d.migrated.Load() {
		return 0, nil
	}
	select {
	case d.migrator <- struct{}{}:
	case <-ctx.Done():
		return 0, fmt.Errorf("lifecycle: wait for a migration of %s: %w", d.url.Redacted(), ctx.Err())
	}
	defer func() { <-d.migrator }()
	if d.migrated.Load() {
		return 0, nil
	}
	err = d.patiently(ctx, func(ctx context.Context) (err error) {
		version, err = d.bringUpToDate(ctx)
		return err
	})
	if err != nil {
		return 0, err
	}
	d.migrated.Store(true)
	return version, nil
}

// bringUpToDate runs the missing migrations, each in a transaction that also records that it has
// run.
func (d *Database) bringUpToDate(ctx context.Context) (version int64, err error) {
	err = d.connected(ctx, func(conn *pgxpool.Conn) error {
		if done, err := d.schemaCurrent(ctx, conn); done || err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(1784767827, "+lockMigration+")"); err != nil {
			return fmt.Errorf("wait for another process to migrate: %w", d.url.Fault(err))
		}
		defer d.unlockMigration(ctx, conn)
		if done, err := d.schemaCurrent(ctx, conn); done || err != nil {
			return err
		}
		version = d.schema.Newest
		return d.url.Fault(d.runGoose(ctx))
	})
	return version, err
}

// unlockMigration releases the lock, if necessary by closing the connection.
func (d *Database) unlockMigration(ctx context.Context, conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackPatience)
	defer cancel()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_unlock(1784767827, "+lockMigration+")"); err != nil {
		_ = conn.Conn().Close(ctx)
	}
}

// schemaCurrent reports whether the schema has the newest version that this program knows.
func (d *Database) schemaCurrent(ctx context.Context, conn *pgxpool.Conn) (bool, error) {
	var (
		exists  bool
		version int64
	)
	err := conn.QueryRow(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&exists)
	if err == nil && exists {
		err = conn.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&version)
	}
	if err != nil {
		return false, fmt.Errorf("read the schema version: %w", d.url.Fault(err))
	}
	current, err := d.schema.Current(version)
	return current, d.url.Failed(faults.ErrNewerSchema, err)
}

func (d *Database) runGoose(ctx context.Context) (err error) {
	files, err := d.schema.Migrations()
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(d.pool)
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}
