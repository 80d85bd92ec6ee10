//go:build unix

package explore_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
)

// pauses stops the process that it was started by, again and again, each time for
// longer than a step may take, and lets it go on for a little.
const pauses = "for i in 1 2 3; do kill -STOP $PPID; sleep 1.2; kill -CONT $PPID; sleep 0.02; done"

// A machine that stands still is none on which a goroutine runs for long.
func TestPauses(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := explore.Config{
		Name: t.Name(), Stall: time.Second,
		Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 2}},
	}
	paused := false
	r := run(t, cfg, func(t *explore.T) {
		bodies.Touch(t)
		if paused {
			return
		}
		paused = true
		if out, err := exec.Command("sh", "-c", pauses).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	if r.Lost || strings.Contains(r.Reason, "1s") || r.Verdict == explore.Violated || !paused {
		t.Errorf("got %v (%s), want no word of the pauses", r.Verdict, r.Summary())
	}
}
