package search

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/report"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// repeatable runs one schedule twice: the same decisions must have the same effects, or
// no card would be valid. An extra run before them absorbs first-use effects of the
// process, such as filling a cache of types.
func (x *explorer) repeatable() (bool, error) { return x.alike(3, false) }

// alike tries that up to the given number of times if the network was waited for: on a
// busy machine the operating system may deliver data between goroutines late. timed says that a run
// before these has passed, and left timers.
func (x *explorer) alike(tries int, timed bool) (bool, error) {
	x.Watched = true
	defer func() { x.Watched = false }()
	x.Leakage.Known = false // what a run before these left is no measure for them
	var hash, own [3]uint64
	var first engine.Outcome
	networked := false
	var found engine.Observers // they count from the second run on: the first two must have the same points
	for i := range hash {
		if err := x.Context.Err(); err != nil {
			return false, err
		}
		ex := x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil)
		if ex.Out.Unknown != "" {
			x.result.Schedules++
			x.result.Reason = ex.Out.Unknown
			x.left = ex.Astray
			return false, nil
		}
		x.ends(ex)
		if i == 0 && !timed {
			first = ex.Out
		}
		found |= ex.Observed
		fresh := i > 0 && x.Observe(found)
		if first.Kind != ex.Out.Kind && (!fresh || ex.Out.Kind != engine.KindLeak) { // what is left is compared under the same points only
			x.result.Schedules, x.left = i+1, true
			x.result.Reason = again(first, ex.Out, timed)
			return false, nil
		}
		timed = timed || ex.Pending && !first.Failed()
		if fresh {
			x.firstDiffers = x.firstDiffers || own[0] != ex.Own
			return x.alike(tries, timed) // there are new points
		}
		hash[i], own[i] = ex.Digest(), ex.Own
		networked = networked || ex.Networked
		if x.cfg.Exclusive && ex.Visible() {
			x.workers.DismissAll()
		}
		x.result.Left = ex.Kinds()
		x.Leakage.Usual, x.Leakage.Known = x.result.Left, ex.Returned() && !ex.Ticking()
	}
	x.result.Kept = x.keeps()
	x.firstDiffers = x.firstDiffers || own[0] != own[1]
	x.unpicked = first
	x.course = hash[2]
	switch {
	case hash[1] == hash[2]:
		return true, nil
	case networked && tries > 1:
		return x.alike(tries-1, timed)
	}
	x.result.Schedules, x.left = len(hash), true
	x.result.Reason = "not repeatable: one schedule, run twice, went two ways; the body depends on something outside it, such as the real time, a file, the order of a map whose keys are pointers, or what an earlier run left behind. " + x.difference()
	return false, nil
}

// byNow runs the default schedule once more if it depends on something outside: another process
// may have become slower, so that no choice of a failing schedule is to blame. It reports whether
// it was run and did not fail.
func (x *explorer) byNow() bool {
	if !x.Depends() || x.unpicked.Failed() {
		return false
	}
	x.unpick()
	return !x.unpicked.Failed()
}

// unpick runs the default schedule once more, to see how it ends by now.
func (x *explorer) unpick() {
	x.unpicked = x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil).Out
}

// keeps reports whether executions use what earlier ones have left, though not all first ones of
// a process were explored.
func (x *explorer) keeps() bool {
	return x.Notes&control.NoteKept != 0 && x.cfg.Runner != "" && !x.openings.All
}

// ends records the rough length of the default schedule. It rounds to a power of two,
// so that every process reports the same.
func (x *explorer) ends(ex *engine.Execution) {
	if ex.Returned() {
		for x.Usual = max(x.Usual, 1); x.Usual <= ex.Made; {
			x.Usual *= 2
		}
	}
}

// again describes a body that fails in its first run and not in the next one under the
// same schedule, or the other way round.
func again(first, next engine.Outcome, timed bool) string {
	if first.Failed() {
		return fmt.Sprintf("not repeatable: it fails when it is run first (%s), and not when it is run again by the same schedule", first.Message)
	}
	why := "as it may with go test -count=2"
	if timed {
		why = "but timers ended with an earlier run, as they do not with go test -count=2"
	}
	return fmt.Sprintf("not repeatable: it passes when it is run first, and fails when it is run again by the same schedule (%s), %s", next.Message, why)
}

// difference runs the default schedule twice more and describes where the two runs part.
func (x *explorer) difference() string {
	a := x.Execute(schedule.DefaultPick{}, x.cfg.Seed, report.NewRecorder())
	b := x.Execute(schedule.DefaultPick{}, x.cfg.Seed, report.NewRecorder())
	return report.Difference(a, b)
}
