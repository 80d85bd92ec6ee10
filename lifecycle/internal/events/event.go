// Package events is what is told of the changes of plans: the events, where they
// are kept, in memory or in a table of a database, and how they are followed.
package events

import (
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// Cursor is a place among the events of one store: just behind the one that has
// it. Zero is before the first.
type Cursor int64

// Event is a committed change of a plan, as far as it is kept.
type Event struct {
	Cursor   Cursor          // where it is: the first has 1, and there are no gaps
	PlanID   string          // of the plan
	Version  int64           // of the plan, as the change left it
	Position domain.Position // where the plan was then; where it was last if it was deleted
	Archived bool            // it was put away
	Deleted  bool            // it was deleted; Version is the one that would have come next
	At       time.Time       // by the clock of the store
}

// Between returns where a plan was in between if a change has taken it two
// versions further, which only a request that progresses does.
func Between(was, is *domain.Plan) (domain.Position, bool) {
	progressed := is.Version == was.Version+2 && was.State == domain.StateProcessing && is.State == domain.StateQueued
	return domain.Position{Phase: was.Phase, State: domain.StateComplete}, progressed
}

// ErrCursor marks a cursor behind which not all events are there.
var ErrCursor = errors.New("no such cursor")

// CursorError says which cursor was got, and which there are.
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

// check refuses a cursor that is not among those that there are.
func (c Cursor) check(first, last Cursor) error {
	if c < first || c > last {
		return &CursorError{c, first, last}
	}
	return nil
}
