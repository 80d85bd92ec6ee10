package report

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/verdict"
)

// What fails with fewer preemptions, if somebody is held up, is not said not to.
func TestReductionSaysWhatWasHeldUp(t *testing.T) {
	for _, c := range []struct {
		found int
		want  string
	}{
		{2, "found with 2 preemptions in 24 steps; minimised to 1 in 21; fewer preemptions are not enough"},
		{0, "found with 0 preemptions in 24 steps, and a goroutine held up for longer; minimised to 1 in 21; without that fewer preemptions are not enough"},
	} {
		got := reduction(&verdict.Failure{Found: c.found, FoundSteps: 24, Preemptions: 1, Steps: 21, Minimal: true})
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
