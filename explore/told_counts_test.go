package explore_test

import (
	"log"
	"strings"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// Which of two goroutines counts a wait group down first is never the cause.
func TestCountsAreNoCause(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rows, r := shown(t, func(t *explore.T) {
		var out [2]strings.Builder
		x, y := log.New(&out[0], "", 0), log.New(&out[1], "", 0)
		var wg sync.WaitGroup
		for _, line := range []string{"one", "two"} {
			wg.Go(func() {
				x.Print(line)
				y.Print(line)
			})
		}
		if wg.Wait(); out[0].String() != out[1].String() {
			t.Errorf("got %q and %q", out[0].String(), out[1].String())
		}
	})
	if cause := r.Failure.Timeline.Cause; strings.Contains(cause, "Done") {
		t.Errorf("got the cause %q, want none of that", cause)
	}
	calls := 0
	for _, row := range rows {
		if strings.HasPrefix(row, "Print") {
			calls++
		}
	}
	if calls < 4 {
		t.Errorf("got %d calls of the loggers in %q, want all 4", calls, rows)
	}
}
