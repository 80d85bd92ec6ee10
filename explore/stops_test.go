package explore_test

import (
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

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
