package litmus

import "slices"

// Shrink returns the smallest program that it finds for which fails still holds, by
// leaving out operations and tasks one at a time. fails must hold for p.
func Shrink(p Program, fails func(Program) bool) Program {
	for again := true; again; {
		again = false
		for _, q := range smaller(p) {
			if fails(q) {
				p, again = q, true
				break
			}
		}
	}
	return p
}

// smaller lists the programs that are one part smaller than p: a task, a critical
// section with or without what is in it, an operation.
func smaller(p Program) []Program {
	var all []Program
	for i := len(p.Tasks) - 1; i > 0; i-- {
		if q, ok := p.withoutTask(i); ok {
			all = append(all, q)
		}
	}
	for i := 1; i < len(p.Tasks); i++ {
		if o := p.starts(i); o.Alike && o.Arg != i {
			continue // shares the operations of task o.Arg
		}
		for k := range p.Tasks[i] {
			for n := len(p.Tasks[i]) - k; n > 0; n-- {
				if q := p.without(i, k, n); q.balanced() {
					all = append(all, q)
				}
			}
		}
	}
	return all
}

// withoutTask returns p without a task that starts no other.
func (p Program) withoutTask(task int) (Program, bool) {
	if slices.ContainsFunc(p.Tasks[task], func(o Op) bool { return o.Verb == Start }) {
		return p, false
	}
	q := Program{Objects: p.Objects}
	for i, ops := range p.Tasks {
		if i == task {
			continue
		}
		var kept []Op
		for _, o := range ops {
			if o.Verb == Start && o.Arg <= task && task <= o.Arg+o.More {
				if o.More == 0 {
					continue
				}
				o.More--
			}
			if o.Verb == Start && o.Arg > task {
				o.Arg--
			}
			kept = append(kept, o)
		}
		q.Tasks = append(q.Tasks, kept)
	}
	return q, true
}

func (p Program) without(task, op, n int) Program {
	q := Program{Objects: p.Objects, Tasks: slices.Clone(p.Tasks)}
	ops, last := slices.Clone(q.Tasks[task]), task
	if o := p.starts(task); o.Alike {
		last = o.Arg + o.More
	}
	for i := range op {
		if o := &ops[i]; op+n <= i+o.Skip { // the removed operations are among those it skips
			o.Skip -= n
		}
	}
	ops = slices.Delete(ops, op, op+n)
	for ; task <= last; task++ {
		q.Tasks[task] = ops
	}
	return q
}

// balanced reports whether every task releases what it takes, and uses Plain objects
// only in between; and whether every other task is started.
func (p Program) balanced() bool {
	started := 1
	for _, ops := range p.Tasks {
		held := map[int]bool{}
		for k, o := range ops {
			switch o.Verb {
			case Start:
				started += o.More + 1
			case Lock, RLock, TryLock, TryRLock, CondLock:
				if held[o.On] {
					return false
				}
				if o.Skip > 0 && (k+o.Skip >= len(ops) || ops[k+o.Skip].On != o.On) {
					return false
				}
				held[o.On] = true
			case Unlock, RUnlock, CondUnlock:
				if !held[o.On] {
					return false
				}
				delete(held, o.On)
			case CondWait:
				if !held[o.On] {
					return false
				}
			case PlainLoad, PlainStore:
				if !held[o.On-1] {
					return false
				}
			}
		}
		if len(held) > 0 {
			return false
		}
	}
	return started == len(p.Tasks)
}
