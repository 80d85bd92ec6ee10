package lifecycle

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
)

// PlanEvent says that a plan was changed: by whatever service in whatever process,
// or by a [UnitOfWork]. Every change that gives a plan a new version is one, and so
// are its making and its deletion; a request that progresses makes two. To claim a
// plan and to record changes for it are none.
//
// Cursor is where the event is. PlanID is the plan, Version and Position what it
// had and where it was then, and Archived says that it was put away. If it was Deleted
// they say how it was last, but Version, which is the one that would have come next. At
// is the time by the clock of the database.
type PlanEvent = events.Event

// Cursor is a place among the events of one database, which whoever follows them
// keeps, as a number: that of an event is just behind it. Zero is before the first.
type Cursor = events.Cursor

// CursorError says that behind a cursor not all events are there: it has Got a cursor
// from before First, the events behind which have been pruned, or from after Last,
// which the database has not come to: it is another one, or was put back. First and
// Last are cursors from which events can be followed.
type CursorError = events.CursorError

// defaultPoll is Config.Poll if that is zero.
const defaultPoll = time.Second

// Events follows the changes of all plans of the database, by whichever process, from
// just behind a cursor on:
//
//	for e, err := range s.Events(ctx, cursor) {
//		if err != nil {
//			return err // begin again at cursor, if it is worth it
//		}
//		// do what is to be done, then keep e.Cursor
//		cursor = e.Cursor
//	}
//
// Each committed change comes, and no other. Those of one plan come in the order of
// its versions, none of which is left out; those of several in an order in which one
// that had returned before another was asked for comes first. All who follow see the
// same order. In one loop each comes once; who keeps the cursor behind what he does
// gets, after a crash, what he may have done already, and so each at least once.
//
// When there is no event the loop waits for one, and ends with an error only: of ctx,
// [ErrClosed], [*CursorError], or a [*DatabaseError]. It is woken by changes through
// this process and, with Config.Bus, through others that have it too; what it was not
// told of it finds within Config.Poll. It runs on the caller's goroutine, holds no lock
// while the caller has an event, and keeps at most a few hundred events in memory.
//
// To keep a copy of all plans up to date, take [Service.LastEvent], then list them, then
// follow the events behind it.
func (s *Service) Events(ctx context.Context, after Cursor) iter.Seq2[PlanEvent, error] {
	return func(yield func(PlanEvent, error) bool) {
		if err := s.follow(ctx, after, func(e PlanEvent) bool { return yield(e, nil) }); err != nil {
			yield(PlanEvent{}, err)
		}
	}
}

func (s *Service) follow(ctx context.Context, after Cursor, wanted func(PlanEvent) bool) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	ear, stop := s.bell.Listen()
	defer stop()
	if s.bus != nil {
		stop, err := s.bus.Subscribe(func(cache.Message) { ear.Wake() })
		if err != nil {
			return fmt.Errorf("lifecycle: events: subscribe to the bus: %w", err)
		}
		defer stop()
	}
	return events.Follow(ctx, after, s.eventsAfter, ear, s.poll, wanted)
}

func (s *Service) eventsAfter(ctx context.Context, after Cursor, most int) ([]PlanEvent, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	return s.store.events().After(ctx, after, most)
}

// LastEvent returns the cursor of the last event: every change that has returned
// before the call is at or before it.
func (s *Service) LastEvent(ctx context.Context) (Cursor, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	return s.store.events().Last(ctx)
}

// PruneEvents deletes the oldest events, up to the first that is not from before a time,
// by the clock of the database, and says how many. Nothing else deletes any of a
// database: one that is written for long needs this once in a while, with a time before
// which all who follow have done their work. In memory the oldest go by themselves, and
// at least the last 262,144 are kept. Those who have not come so far get a [*CursorError].
// If there is an error some may have been deleted.
func (s *Service) PruneEvents(ctx context.Context, before time.Time) (pruned int, err error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	if before, err = storedTime("before", before, 1); err != nil {
		return 0, err
	}
	return s.store.events().Prune(ctx, before)
}

// tell wakes those who follow the events. That they are not told is no error of the
// change, which is committed: they find it.
func (s *Service) tell(ctx context.Context, planID string) {
	s.bell.Ring()
	if s.bus == nil {
		return
	}
	if _, err := s.bus.Publish(ctx, planID); err != nil {
		s.logger.WarnContext(ctx, "plan event not published", "plan", planID, "error", err)
	}
}
