package races

import (
	"context"
	"log/slog"
	"sync"
)

// Openings is a log handler that counts the engines that package lifecycle opens, by what it logs about them. The zero value is ready;
// it is safe for concurrent use.
type Openings struct {
	mu sync.Mutex
	n  int // written and read under mu
}

// Enabled takes every record.
func (o *Openings) Enabled(context.Context, slog.Level) bool { return true }

// WithAttrs counts for the same total.
func (o *Openings) WithAttrs([]slog.Attr) slog.Handler { return o }

// WithGroup counts for the same total.
func (o *Openings) WithGroup(string) slog.Handler { return o }

// Handle counts the record if it tells of an opening.
func (o *Openings) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "database engine opened" {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.n++
	}
	return nil
}

// Count is the number of engines opened so far.
func (o *Openings) Count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.n
}
