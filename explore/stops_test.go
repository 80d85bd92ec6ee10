package explore_test

import (
	"regexp"
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
