package races

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// refusal makes every commit of a changed plan fail, but nothing before it: the change leaves a reference to a row that
// does not exist, which SQLite checks at the end of the transaction.
const refusal = `
CREATE TABLE nobody (id INTEGER PRIMARY KEY);
CREATE TABLE refusals (id INTEGER REFERENCES nobody (id) DEFERRABLE INITIALLY DEFERRED);
CREATE TRIGGER refuse AFTER UPDATE ON plans BEGIN INSERT INTO refusals VALUES (1); END`

// refuseCommits makes the SQLite file at path, which has a table of plans, refuse to commit changes of a plan, for all
// connections that have foreign keys on. This is how the environment of N2 fails: deterministically, and not by luck.
func refuseCommits(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(off)")
	if err != nil {
		return fmt.Errorf("refuse commits: %w", err)
	}
	if _, err := db.ExecContext(context.WithoutCancel(ctx), refusal); err != nil {
		return errors.Join(fmt.Errorf("refuse commits: %w", err), db.Close())
	}
	return db.Close()
}
