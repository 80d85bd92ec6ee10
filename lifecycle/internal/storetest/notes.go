package storetest

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// NotesSchema returns a schema with one table, notes.
func NotesSchema() engine.Schema {
	return engine.Schema{Folder: "notes", Newest: 1, Files: fstest.MapFS{
		"notes/00001_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (n INTEGER NOT NULL);\n")},
	}}
}

// Notes returns how many notes a database has.
func Notes(ctx context.Context, d engine.Database) (n int, err error) {
	err = d.Read(ctx, func(ctx context.Context, s engine.Session) error {
		return s.Query(ctx, "SELECT count(*) FROM notes", nil, func(row statements.Row) error { return row.Scan(&n) })
	})
	return n, err
}

// WantNotes fails the test unless a database has this many notes.
func WantNotes(t testing.TB, d engine.Database, want int) {
	t.Helper()
	if got, err := Notes(context.Background(), d); err != nil || got != want {
		t.Errorf("got %d notes, %v, want %d", got, err, want)
	}
}
