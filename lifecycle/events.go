package lifecycle

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
)

// PlanEvent says that a plan was changed, by any service in any process or by a [UnitOfWork]. Every
// change that gives a plan a new version is an event, and so are its creation and its deletion; a
// request with Progress causes two. Claims and recorded changes cause none.
//
// Cursor is the position of the event. PlanID is the plan; Version, Position and Archived are those
// that the change gave it. If Deleted is set they are the plan's last ones, except that Version is
// one greater. At is the time by the clock of the database.
type PlanEvent = events.Event

// Cursor is a position among the events of one database, a number that the follower keeps: that of
// an event is just after it. Zero is before the first.
type Cursor = events.Cursor

// CursorError says that events after a cursor are missing. Got, the cursor, is before First, and
// the events up to First have been pruned; or it is after Last, which the database has not reached:
// it is another database, or was restored from a backup. First and Last are cursors from which
// events can be followed.
type CursorError = events.CursorError

// defaultPoll is the default of Config.Poll.
const defaultPoll = time.Second

// Events follows the changes of all plans of the database, by any process, from just after a cursor
// on:
//
//	for e, err := range s.Events(ctx, cursor) {
//		if err != nil {
//			return err // begin again at cursor, if it is worth it
//		}
//		// do what is to be done, then keep e.Cursor
//		cursor = e.Cursor
//	}
//
// Each committed change comes, and no other. The events of one plan come in the order of its
// versions, without gaps. Across plans, a change that had returned before another was requested
// comes first. All followers see the same order. In one loop each event comes once. A follower that
// saves the cursor after its work may get an event again after a crash, and so gets each at least
// once.
//
// When there is no event the loop waits for one. It ends only with an error: ctx's, [ErrClosed],
// [*CursorError], or a [*DatabaseError]. Changes through this process wake it and, with Config.Bus,
// those through other processes that have the bus too; it finds all others within Config.Poll. It
// runs on the caller's goroutine, holds no lock while the caller has an event, and keeps at most a
// few hundred events in memory.
//
// To keep a copy of all plans up to date, call [Service.LastEvent], then list the plans, then
// follow the events after it.
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

// LastEvent returns the cursor of the last event: every change that returned before the call is at
// or before it.
func (s *Service) LastEvent(ctx context.Context) (Cursor, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	return s.store.events().Last(ctx)
}

// PruneEvents deletes the oldest events, up to the first that is not older than before by the clock
// of the database, and returns how many. Nothing else deletes events of a database, so call it now
// and then on one that is written for long, with a time that all followers have passed. In memory
// the oldest are dropped automatically, and at least the last 262,144 are kept. Followers that are
// further behind get a [*CursorError]. If there is an error, some events may have been deleted.
func (s *Service) PruneEvents(ctx context.Context, before time.Time) (pruned int, err error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	if before, err = storedTime("before", before, 1); err != nil {
		return 0, err
	}
	return s.store.events().Prune(ctx, before)
}

// tell wakes the followers of events. A failed Publish is only logged: the change is committed, and
// followers find it within Config.Poll.
func (s *Service) tell(ctx context.Context, planID string) {
	s.bell.Ring()
	if s.bus == nil {
		return
	}
	if _, err := s.bus.Publish(ctx, planID); err != nil {
		s.logger.WarnContext(ctx, "plan event not published", "plan", planID, "error", err)
	}
}
