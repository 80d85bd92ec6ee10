package reported

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
)

// openFile opens a SQLite file with one connection and creates the file and its schema if necessary.
//
// The file is not synced to disk: it survives the process but not a crash of the machine, which is enough for a specimen.
func openFile(ctx context.Context, path, schema string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+
		"?_pragma=synchronous(off)&_pragma=journal_mode(memory)&_pragma=foreign_keys(on)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := untilFree(ctx, func() error { _, err := db.ExecContext(ctx, schema); return err }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
