package litmus_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/litmus"
)

// The enumerator allows the outcomes of plain runs on real cores.
func TestPlainRunsAreAllowed(t *testing.T) {
	for seed := range uint64(300) {
		p := litmus.Generate(seed)
		if detector && racy(p) || timed(p) {
			continue
		}
		allowed, _, err := litmus.Enumerate(p, 0, 200_000)
		if err != nil {
			t.Logf("%d: %v", seed, err)
			continue
		}
		for range 200 {
			if got := plain(p, allowed); !allowed[got] {
				t.Errorf("seed %d: not allowed: %s\n%s", seed, got, p)
				break
			}
		}
	}
}

// plain runs a program until it has ended, or until its outcome is allowed: tasks that
// have not ended may then be blocked for ever.
func plain(p litmus.Program, allowed map[litmus.Outcome]bool) litmus.Outcome {
	r := litmus.NewRun(p, true)
	r.Task(0)
	for looks := 0; !r.Ended() && looks < 2000 && (looks < 20 || !allowed[r.Outcome()]); looks++ {
		if runtime.Gosched(); looks >= 20 {
			time.Sleep(time.Millisecond)
		}
	}
	return r.Outcome()
}

// racy reports whether a program does what the race detector reports whatever the
// outcome: close a channel concurrently with a send, or add to a wait group with its Wait.
func racy(p litmus.Program) bool {
	return uses(p, litmus.Close) || uses(p, litmus.GroupAdd)
}

// timed reports whether the outcome of a program also depends on the machine: on how long
// things take, and on which processor a pool is used.
func timed(p litmus.Program) bool {
	limits := func(o litmus.Op) bool {
		return o.Verb == litmus.Sleep || o.Verb == litmus.PoolGet || o.Verb == litmus.Select && o.Arg == 2
	}
	return slices.ContainsFunc(p.Objects, func(o litmus.Object) bool { return o.Kind == litmus.Timer }) ||
		slices.ContainsFunc(p.Tasks, func(ops []litmus.Op) bool { return slices.ContainsFunc(ops, limits) })
}

func uses(p litmus.Program, verb litmus.Verb) bool {
	return slices.ContainsFunc(p.Tasks, func(ops []litmus.Op) bool {
		return slices.ContainsFunc(ops, func(o litmus.Op) bool { return o.Verb == verb })
	})
}
