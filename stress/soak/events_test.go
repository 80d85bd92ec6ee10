package soak_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// A listener follows the events of a database, while processes that change it are killed or
// frozen and its server crashes.
type listener struct {
	t      *testing.T
	s      *lifecycle.Service
	stop   context.CancelFunc
	done   sync.WaitGroup
	cursor lifecycle.Cursor
	last   map[string]lifecycle.PlanEvent // by plan
}

func listen(t *testing.T, url string) *listener {
	t.Helper()
	s, err := lifecycle.Open(t.Context(), lifecycle.Config{URL: url, Poll: 5 * time.Millisecond})
	check(t, err)
	ctx, stop := context.WithCancel(t.Context())
	l := &listener{t: t, s: s, stop: stop, last: make(map[string]lifecycle.PlanEvent)}
	l.done.Go(func() {
		for ctx.Err() == nil {
			if err := l.hear(ctx, 0); err != nil && ctx.Err() == nil && !passes(err) {
				t.Error(err)
				return
			}
		}
	})
	return l
}

// passes reports whether an error is temporary, because the server is down.
func passes(err error) bool {
	return errors.Is(err, lifecycle.ErrUnavailable) || errors.Is(err, lifecycle.ErrBusy) || errors.Is(err, lifecycle.ErrOutcomeUnknown)
}

// hear continues after the last cursor, and ends at the given one unless that is zero.
func (l *listener) hear(ctx context.Context, until lifecycle.Cursor) error {
	for e, err := range l.s.Events(ctx, l.cursor) {
		if err != nil {
			return err
		}
		was := l.last[e.PlanID]
		if e.Cursor != l.cursor+1 || e.Version != was.Version+1 || was.Deleted {
			l.t.Errorf("got %+v behind %+v, want cursor %d and the next version", e, was, l.cursor+1)
		}
		if l.last[e.PlanID], l.cursor = e, e.Cursor; e.Cursor == until {
			return nil
		}
	}
	return nil
}

// end fails the test unless the listener received every event of the plans.
func (l *listener) end() {
	l.t.Helper()
	l.stop()
	l.done.Wait()
	ctx := l.t.Context()
	last, err := l.s.LastEvent(ctx)
	check(l.t, err)
	heard := l.cursor
	if last > l.cursor {
		check(l.t, l.hear(ctx, last))
	}
	plans, err := l.s.FindPlans(ctx, lifecycle.PlanFilter{Archived: true})
	check(l.t, err)
	for _, p := range plans {
		if e := l.last[p.ID]; e.Version != p.Version || e.Position != p.Position() || e.Deleted {
			l.t.Errorf("got %+v last, want plan %s at version %d, %s", e, p.ID, p.Version, p.Position())
		}
	}
	if heard == 0 || len(plans) == 0 {
		l.t.Errorf("got %d events during the soak, and %d plans, want some", heard, len(plans))
	}
	check(l.t, l.s.Close())
}
