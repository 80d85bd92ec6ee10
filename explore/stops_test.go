package explore_test

import (
	"regexp"
	"testing"

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
