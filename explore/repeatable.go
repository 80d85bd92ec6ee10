package explore

import "fmt"

// repeatable runs one schedule twice: the same decisions must have the same
// effects, or no card would mean anything. A run before them does what a
// process does only once, such as to fill a cache of types.
func (x *explorer) repeatable() (bool, error) {
	var hash [3]uint64
	var first outcome
	for i := range hash {
		if err := x.ctx.Err(); err != nil {
			return false, err
		}
		ex := x.execute(defaultPick{}, x.cfg.Seed, nil)
		if ex.out.unknown != "" {
			x.result.Schedules++
			x.result.Reason = ex.out.unknown
			return false, nil
		}
		hash[i] = ex.digest()
		x.alone = x.alone || x.cfg.Exclusive && ex.visible()
		if i == 0 {
			first = ex.out
		} else if first.kind != ex.out.kind {
			x.result.Schedules = i + 1
			x.result.Reason = again(first, ex.out)
			return false, nil
		}
		x.result.Left = ex.kinds()
		x.leakage.usual, x.leakage.known = x.result.Left, !ex.ticking()
	}
	x.unpicked = first
	x.course = hash[2]
	if hash[1] != hash[2] {
		x.result.Schedules = len(hash)
		x.result.Reason = "not repeatable: one schedule, run twice, took two courses; the body depends on something outside it, such as the real time, a file, the order of a map whose keys are pointers, or what an earlier run left behind. " + x.difference()
		return false, nil
	}
	return true, nil
}

// again says that a body fails when it is run first and not when it is run again
// under the same schedule, or the other way round.
func again(first, next outcome) string {
	if first.failed() {
		return fmt.Sprintf("not repeatable: it fails when it is run first (%s), and not when it is run again by the same schedule", first.message)
	}
	return fmt.Sprintf("not repeatable: it ends well when it is run first, and fails when it is run again by the same schedule (%s), as it may with go test -count=2", next.message)
}
