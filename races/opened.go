package races

import (
	"context"
	"log/slog"
	"sync"
)

// The messages that package lifecycle logs about an engine.
const (
	engineOpened   = "database engine opened"
	schemaMigrated = "database schema migrated"
)

// Openings is a log handler that counts the engines that package lifecycle opens, and the schemas that it migrates, by
// its log messages. The zero value is ready for use; it is safe for concurrent use.
type Openings struct {
	mu               sync.Mutex
	opened, migrated int // written and read under mu
}

// Enabled takes every record.
func (o *Openings) Enabled(context.Context, slog.Level) bool { return true }

// WithAttrs counts for the same totals.
func (o *Openings) WithAttrs([]slog.Attr) slog.Handler { return o }

// WithGroup counts for the same totals.
func (o *Openings) WithGroup(string) slog.Handler { return o }

// Handle counts the record if it is about an opening or a migration.
func (o *Openings) Handle(_ context.Context, r slog.Record) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch r.Message {
	case engineOpened:
		o.opened++
	case schemaMigrated:
		o.migrated++
	}
	return nil
}

// Count returns the number of engines opened so far.
func (o *Openings) Count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.opened
}

// Migrated returns the number of schemas migrated so far.
func (o *Openings) Migrated() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.migrated
}
