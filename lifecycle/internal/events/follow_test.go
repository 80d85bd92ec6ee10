package events_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/events"
)

// A follower reads when it is woken, and otherwise at the given interval.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l events.Log
		var bell engine.Bell
		var looks, heard atomic.Int64
		read := func(ctx context.Context, after events.Cursor, most int) ([]events.Event, error) {
			looks.Add(1)
			return l.After(ctx, after, most)
		}
		ear, stop := bell.Listen()
		defer stop()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- events.Follow(ctx, 0, read, ear, time.Second, func(events.Event) bool { return heard.Add(1) < 4 })
		}()
		looked := func(wantLooks, wantHeard int64) {
			t.Helper()
			synctest.Wait()
			if looks.Load() != wantLooks || heard.Load() != wantHeard {
				t.Errorf("got %d looks and %d events, want %d and %d", looks.Load(), heard.Load(), wantLooks, wantHeard)
			}
		}
		looked(1, 0)
		time.Sleep(time.Second / 2)
		l.Add(node("a", 1, nil))
		looked(1, 0)
		bell.Ring()
		looked(3, 1) // the event, and then that there are no more
		time.Sleep(time.Second / 2)
		l.Add(node("a", 2, nil))
		looked(3, 1)
		time.Sleep(time.Second / 2)
		looked(5, 2)
		time.Sleep(10 * time.Second)
		looked(15, 2)
		l.Add(node("a", 3, nil))
		l.Add(node("a", 4, nil))
		bell.Ring()
		looked(16, 4) // the follower wants no more events
		if err := <-ended; err != nil {
			t.Errorf("got %v, want no error", err)
		}
		go func() {
			ended <- events.Follow(ctx, 4, read, ear, time.Hour, func(events.Event) bool { return true })
		}()
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	})
}
