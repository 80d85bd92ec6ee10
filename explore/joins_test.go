package explore_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// A goroutine that waits for one wait group may be the one to count down another. The
// report does not claim that no goroutine is left to count down the second.
func TestDeadlockOfTwoWaitGroups(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var all, never sync.WaitGroup
		never.Add(1)
		all.Add(1)
		t.Go("waits", func() { defer all.Done(); never.Wait() })
		all.Wait()
	})
	if r.Failure == nil || r.Failure.Kind != explore.KindDeadlock {
		t.Fatalf("got %v (%s), want a deadlock", r.Verdict, r.Summary())
	}
	got := r.Failure.Timeline.Cause
	for _, want := range []string{"wait group all to reach 0", "wait group never to reach 0", "nobody else is left to count these down"} {
		if !strings.Contains(got, want) {
			t.Errorf("got the cause %q, want %q", got, want)
		}
	}
}

// The cause of a panic of a wait group names who has counted before, and when the wait began.
func TestCauseOfAWaitGroup(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for want, body := range map[string]func(*explore.T, *sync.WaitGroup){
		`^"one" counted wg below zero at step \d+: .*; "two" had counted it down at step \d+$`: func(t *explore.T, wg *sync.WaitGroup) {
			t.Go("two", func() { wg.Done() })
			t.Go("one", func() {
				wg.Wait()
				wg.Done()
			})
		},
		`^"one" counted wg below zero at step \d+: by then Done had been called more often than was added$`: func(t *explore.T, wg *sync.WaitGroup) {
			t.Go("one", func() {
				wg.Done()
				wg.Done()
			})
		},
		`^"again" counted wg up at step \d+ \(.*\), before "waits", which began to wait at step \d+, had returned from Wait \(step \d+\)$`: func(t *explore.T, wg *sync.WaitGroup) {
			t.Go("waits", func() { wg.Wait() })
			t.Go("again", func() {
				wg.Done()
				wg.Add(1)
				wg.Done()
			})
		},
	} {
		if got := causeOfPanic(t, body); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("got the cause %q, want %s", got, want)
		}
	}
}

// causeOfPanic returns the cause of the panic in a body, which gets a wait group of one.
func causeOfPanic(t *testing.T, body func(*explore.T, *sync.WaitGroup)) string {
	t.Helper()
	cfg := small(t.Name())
	cfg.Races = explore.RacesNote
	r := run(t, cfg, func(t *explore.T) {
		var wg sync.WaitGroup
		wg.Add(1)
		body(t, &wg)
		t.Wait()
	})
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindPanic {
		t.Fatalf("got %v (%s), want a panic", r.Verdict, r.Summary())
	}
	return r.Failure.Timeline.Cause
}
