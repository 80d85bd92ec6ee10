package explore_test

import (
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
