package explore_test

import (
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// The cause says what came between two operations of a stopped goroutine, even where these are on
// different objects, or where the stop is in a go statement.
func TestCauseIsTheStop(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	stops := map[string]func(*explore.T){
		`"one" was stopped between Add\(1\) last = 1 \(step \d+\) and Lock mu \(step \d+\); meanwhile "two" did Add\(1\) last = 2 \(step \d+\) and Lock mu \(step \d+\)`: func(t *explore.T) {
			var last atomic.Int64
			var mu sync.Mutex
			var target int64
			update := func() {
				n := last.Add(1)
				mu.Lock()
				target = n
				mu.Unlock()
			}
			t.Go("one", update)
			t.Go("two", update)
			if t.Wait(); target != last.Load() {
				t.Errorf("target %d of %d", target, last.Load())
			}
		},
		`"body" was stopped before Store id 0 → 42 \(step \d+\); "reads" did Load id = 0 \(step \d+\) first`: func(t *explore.T) {
			var id atomic.Int64
			t.Go("reads", func() {
				if id.Load() != 42 {
					t.Errorf("no id")
				}
			})
			id.Store(42)
			t.Wait()
		},
	}
	for want, body := range stops {
		meetsCause(t, want, body)
	}
}

// meetsCause fails unless a body fails for a cause.
func meetsCause(t *testing.T, want string, body func(*explore.T)) {
	t.Helper()
	r := run(t, small(t.Name()), body)
	if r.Failure == nil {
		t.Errorf("got %s, want a failure: %s", r.Summary(), want)
	} else if cause := r.Failure.Timeline.Cause; !regexp.MustCompile("^" + want + "$").MatchString(cause) {
		t.Errorf("got the cause %q, want %s", cause, want)
	}
}

// A goroutine that itself changes what it has read does not want to see it unchanged beside a later
// read: it went on with a stale value.
func TestReaderOutdatesWhatItRead(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"looks" went on with a stale value: it read n at step \d+ \(1\), "gives" changed it at step \d+ \(1 → 0\), and then "looks" did Add\(1\) n = 1 \(step \d+\)`, func(t *explore.T) {
		var n atomic.Int32
		var closed atomic.Bool
		n.Store(1)
		t.Go("looks", func() {
			if n.Load() > 0 && n.Add(1) > 0 && closed.Load() {
				t.Errorf("closed, and in use")
			}
		})
		t.Go("gives", func() {
			if n.Add(-1) == 0 {
				closed.Store(true)
			}
		})
		t.Wait()
	})
}

// The cause of a time-out is the goroutine that would have come in time.
func TestCauseOfATimeOut(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"body" found work not ready at step \d+ and went on without; "works" had not begun, and came to send work ← 1 \(step \d+\) too late`, func(t *explore.T) {
		work := make(chan int, 1)
		t.Go("works", func() { work <- 1 })
		select {
		case <-work:
		case <-time.After(0):
			t.Errorf("timed out")
		}
		t.Wait()
	})
}

// A goroutine may be left at a channel because a select that could have met it took another case.
func TestCauseIsTheOtherCase(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"sends" waits for a receiver on answer since step \d+, and nobody is left to receive: "asks" had that case in a select, and took receive done \(step \d+\)`, func(t *explore.T) {
		answer, done := make(chan int), make(chan bool)
		t.Go("asks", func() {
			select {
			case <-answer:
			case <-done:
			}
		})
		t.Go("sends", func() { answer <- 1 })
		t.Go("ends", func() { close(done) })
		t.Wait()
	})
}
