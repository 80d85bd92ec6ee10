package events

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/statements"
)

// Table is the events of a database, in a table that triggers write with each change of a plan, see
// the migrations. On PostgreSQL events get their positions when they are first read.
type Table struct{ Database engine.Database }

// After implements [Store].
func (t Table) After(ctx context.Context, after Cursor, most int) ([]Event, error) {
	for {
		p, err := t.page(ctx, after, most)
		if err != nil {
			return nil, err
		}
		if len(p.events) > 0 || !p.waiting {
			return p.events, after.check(p.first, p.last)
		}
		if _, err := t.number(ctx); err != nil {
			return nil, err
		}
	}
}

// Last implements [Store].
func (t Table) Last(ctx context.Context) (Cursor, error) {
	for numbered := pageSize; ; {
		p, err := t.page(ctx, 0, 0)
		if err != nil || !p.waiting || numbered < pageSize { // events that are waiting now came after the call began
			return p.last, err
		}
		if numbered, err = t.number(ctx); err != nil {
			return 0, err
		}
	}
}

// Prune implements [Store]. Each transaction prunes at most one page.
func (t Table) Prune(ctx context.Context, before time.Time) (all int, err error) {
	if _, err := t.Last(ctx); err != nil { // numbers the existing events
		return 0, err
	}
	for {
		pruned := 0
		err := t.Database.Write(ctx, func(ctx context.Context, s engine.Session) (err error) {
			pruned, err = prune(ctx, s, before)
			return err
		})
		if err != nil {
			return all, fmt.Errorf("lifecycle: prune events: %w", err)
		}
		if all += pruned; pruned < pageSize {
			return all, nil
		}
	}
}

// page is the result of reading after a cursor.
type page struct {
	events      []Event
	first, last Cursor // the valid cursors
	waiting     bool   // there are events without a position
}

// page reads the events after a cursor from one state of the database. It does not check that the
// cursor is valid.
func (t Table) page(ctx context.Context, after Cursor, most int) (p page, err error) {
	err = t.Database.Read(ctx, func(ctx context.Context, s engine.Session) error {
		p = page{}
		return s.Query(ctx, `
			SELECT p.position, coalesce((SELECT max(position) FROM events), p.position),
				EXISTS (SELECT 1 FROM events WHERE position IS NULL),
				e.position, e.plan_id, e.version, e.phase, e.state, e.archived, e.deleted, e.at
			FROM events_pruned AS p
			LEFT JOIN (SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?) AS e ON TRUE
			ORDER BY e.position`, []any{int64(after), most}, p.scan)
	})
	if err != nil {
		return page{}, fmt.Errorf("lifecycle: read events: %w", err)
	}
	return p, nil
}

// scan adds a row. If there are no events, there is one row without an event.
func (p *page) scan(row statements.Row) error {
	var (
		at, version, archived, deleted, micro sql.NullInt64
		id, phase, state                      sql.NullString
	)
	err := row.Scan(&p.first, &p.last, &p.waiting, &at, &id, &version, &phase, &state, &archived, &deleted, &micro)
	if err == nil && at.Valid {
		p.events = append(p.events, Event{
			Cursor: Cursor(at.Int64), PlanID: id.String, Version: version.Int64,
			Position: domain.Position{Phase: domain.Phase(phase.String), State: domain.State(state.String)},
			Archived: archived.Int64 != 0, Deleted: deleted.Int64 != 0, At: time.UnixMicro(micro.Int64).UTC(),
		})
	}
	return err
}

// lock makes other transactions that number or prune wait until this one ends.
func lock(ctx context.Context, s engine.Session) error {
	return s.Query(ctx, `SELECT position FROM events_pruned`+s.Dialect().Lock, nil, func(statements.Row) error { return nil })
}

// number gives positions to at most a page of events that have none, and returns how many. An event
// of a plan is written after the previous one was committed, so whoever sees it also sees that one,
// with a smaller seq. On SQLite events have a position from the start, and no seq.
func (t Table) number(ctx context.Context) (numbered int, err error) {
	err = t.Database.Write(ctx, func(ctx context.Context, s engine.Session) error {
		if err := lock(ctx, s); err != nil {
			return err
		}
		n, err := s.Exec(ctx, `
			UPDATE events SET position = waiting.position
			FROM (
				SELECT seq, row_number() OVER (ORDER BY seq)
					+ coalesce((SELECT max(position) FROM events), (SELECT position FROM events_pruned)) AS position
				FROM events WHERE position IS NULL ORDER BY seq LIMIT ?
			) AS waiting
			WHERE events.seq = waiting.seq`, pageSize)
		numbered = int(n)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("lifecycle: number events: %w", err)
	}
	return numbered, nil
}

// prune deletes at most a page of events, and returns how many.
func prune(ctx context.Context, s engine.Session, before time.Time) (pruned int, err error) {
	if err := lock(ctx, s); err != nil {
		return 0, err
	}
	var last int64
	young := false
	err = s.Query(ctx, `SELECT position, at FROM events WHERE position IS NOT NULL ORDER BY position LIMIT ?`, []any{pageSize},
		func(row statements.Row) error {
			var position, at int64
			err := row.Scan(&position, &at)
			if young = young || at >= before.UnixMicro(); !young {
				last = position
				pruned++
			}
			return err
		})
	if err != nil || pruned == 0 {
		return 0, err
	}
	for _, statement := range []string{`DELETE FROM events WHERE position <= ?`, `UPDATE events_pruned SET position = ?`} {
		if _, err := s.Exec(ctx, statement, last); err != nil {
			return 0, err
		}
	}
	return pruned, nil
}
