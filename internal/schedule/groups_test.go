package schedule_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// on returns a step of a goroutine on a wait group that adds n, or waits if n is 0.
func on(goroutine uint32, n int32) schedule.Step {
	s := schedule.Step{Goroutine: goroutine, Cause: -1, Count: n, Operation: schedule.Operation{Object: 1, Mode: schedule.Counts}}
	if n == 0 {
		s.Operation.Mode = schedule.Awaits
	}
	return s
}

// takes and frees return steps of a goroutine on a lock.
func takes(goroutine, lock uint32) schedule.Step {
	return schedule.Step{Goroutine: goroutine, Cause: -1, Operation: schedule.Operation{Object: lock, Mode: schedule.Takes}}
}

func frees(goroutine, lock uint32) schedule.Step {
	s := takes(goroutine, lock)
	s.Operation.Mode = schedule.Frees
	return s
}

// starts returns the first step of a goroutine that step cause has started.
func starts(goroutine uint32, cause int) schedule.Step {
	return schedule.Step{Goroutine: goroutine, Cause: cause}
}

func TestSharedWaitGroups(t *testing.T) {
	waits := on(1, 0)
	waits.Idles()
	for _, c := range []struct {
		name  string
		steps []schedule.Step
		want  bool
	}{
		{"two of Go and a Wait", []schedule.Step{starts(1, -1), on(1, 1), on(1, 1), starts(2, 1), starts(3, 2), on(3, -1), on(2, -1), on(1, 0)}, false},
		{"one Add for both", []schedule.Step{starts(1, -1), on(1, 2), starts(2, 1), starts(3, 1), on(3, -1), on(2, -1), on(1, 0)}, false},
		{"Done for one that was added later", []schedule.Step{starts(1, -1), on(1, 1), starts(2, 1), on(1, 1), on(2, -1), on(2, -1), on(1, 0)}, true},
		{"one Done too many", []schedule.Step{starts(1, -1), on(1, 1), starts(2, 1), starts(3, 1), on(2, -1), on(3, -1)}, true},
		{"Add beside a Wait", []schedule.Step{starts(1, -1), on(1, 1), starts(2, 1), on(2, 1), waits, on(2, -1), on(2, -1), on(1, 0)}, true},
		{"Add beside a Wait that has begun", []schedule.Step{starts(1, -1), on(1, 1), starts(2, 1), waits, on(2, 1)}, true},
		{"Add behind a Wait", []schedule.Step{starts(1, -1), on(1, 1), on(1, -1), on(1, 0), on(1, 1), starts(2, 4), on(2, -1), on(1, 0)}, false},
		{"Add by who was started behind a Wait", []schedule.Step{starts(1, -1), on(1, 1), on(1, -1), on(1, 0), starts(2, 3), on(2, 1), on(2, -1)}, false},
		{"Wait by who was started before the Add", []schedule.Step{starts(1, -1), starts(2, 0), on(1, 1), on(2, 0)}, true},
		{"Wait by who was started behind the Add", []schedule.Step{starts(1, -1), on(1, 1), starts(2, 1), on(1, -1), on(2, 0)}, false},
		{"Wait behind the Add by a lock", []schedule.Step{starts(1, -1), starts(2, 0), takes(1, 2), on(1, 1), frees(1, 2), takes(2, 2), frees(2, 2), on(1, -1), on(2, 0)}, false},
		{"Wait behind a lock that the Add is behind", []schedule.Step{starts(1, -1), starts(2, 0), takes(1, 2), frees(1, 2), on(1, 1), takes(2, 2), frees(2, 2), on(1, -1), on(2, 0)}, true},
		{"Wait behind the lock, and then the Add", []schedule.Step{starts(1, -1), starts(2, 0), takes(2, 2), frees(2, 2), takes(1, 2), on(1, 1), frees(1, 2), on(1, -1), on(2, 0)}, true},
		{"Wait behind another lock", []schedule.Step{starts(1, -1), starts(2, 0), takes(1, 2), on(1, 1), frees(1, 2), takes(2, 3), frees(2, 3), on(1, -1), on(2, 0)}, true},
		{"Wait by who was started behind the lock", []schedule.Step{starts(1, -1), starts(2, 0), takes(1, 2), on(1, 1), frees(1, 2), takes(2, 2), starts(3, 5), on(1, -1), on(3, 0)}, false},
	} {
		if got := schedule.Shared(c.steps); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
