// Package events defines the events that report changes of plans, where they are stored, in memory
// or in a table of a database, and how they are followed.
package events

import (
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// Cursor is a position among the events of one store: just after the event that has it. Zero is
// before the first.
type Cursor int64

// Event is a committed change of a plan.
type Event struct {
	Cursor   Cursor          // its position: the first event has 1, and there are no gaps
	PlanID   string          // of the plan
	Version  int64           // of the plan, as the change left it
	Position domain.Position // the plan's position then; its last one if it was deleted
	Archived bool            // the plan was archived
	Deleted  bool            // the plan was deleted; Version is one greater than its last
	At       time.Time       // by the clock of the store
}

// Between returns the position in between if a change has raised the version by two, which only a
// request with Progress does.
func Between(was, is *domain.Plan) (domain.Position, bool) {
	progressed := is.Version == was.Version+2 && was.State == domain.StateProcessing && is.State == domain.StateQueued
	return domain.Position{Phase: was.Phase, State: domain.StateComplete}, progressed
}

// ErrCursor marks a cursor after which events are missing.
var ErrCursor = errors.New("no such cursor")

// CursorError says which cursor was given, and which are valid.
type CursorError struct{ Got, First, Last Cursor }

// Error implements error.
func (e *CursorError) Error() string {
	why := "what came next has been pruned"
	if e.Got > e.Last {
		why = "the database has not come so far; is it the same one?"
	}
	return fmt.Sprintf("lifecycle: events: got cursor %d, want one from %d to %d: %s", e.Got, e.First, e.Last, why)
}

// Is reports whether target is [ErrCursor].
func (e *CursorError) Is(target error) bool { return target == ErrCursor }

// check refuses a cursor that is not from first to last.
func (c Cursor) check(first, last Cursor) error {
	if c < first || c > last {
		return &CursorError{c, first, last}
	}
	return nil
}
