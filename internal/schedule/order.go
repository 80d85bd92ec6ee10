package schedule

// An Order sums up an execution but for the order of operations that do not
// conflict: two executions in which every pair of conflicting operations comes
// in the same order have the same sum (they are one Mazurkiewicz trace). Each
// step hashes what it comes after; the sum of all does not depend on their order.
// Goroutines go by the go statements that led to them, because their numbers
// depend on the order in which they were started; objects have no part in it,
// because their numbers do too.
type Order struct {
	sum     uint64
	base    uint64        // of what all later steps come after
	steps   []uint64      // each step
	threads []uint64      // last step of each goroutine
	objects []objectOrder // by number
	ended   uint64        // of the steps with which what T.Wait waits for has ended
}

// An objectOrder is what an operation on an object comes after.
type objectOrder struct {
	changed uint64        // the last change
	since   [Modes]uint64 // the others since, by mode
}

// Of is the sum of an execution, in memory that was used before. path identifies
// goroutines.
func (o *Order) Of(steps []Step, path func(uint32) uint64) uint64 {
	*o = Order{steps: o.steps[:0], threads: o.threads[:0], objects: o.objects[:0]}
	for i := range steps {
		o.add(&steps[i], path(steps[i].Goroutine))
	}
	return o.sum
}

func (o *Order) add(s *Step, path uint64) {
	for int(s.Goroutine) >= len(o.threads) {
		o.threads = append(o.threads, 0)
	}
	if s.Late {
		o.base = Mix(o.base, o.sum)
	}
	h := o.threads[s.Goroutine]
	if s.Resumed || s.Waits != 0 {
		// The return from T.Wait may as well have come without blocking, and that from a
		// wait group's or from a channel; the attempt may as well have come later.
		if o.steps = append(o.steps, h); s.Ended {
			o.ended += h
		}
		return
	}
	if s.Cause >= 0 && !s.Operation.Mode.Behind(Frees) { // who has woken it gave the lock back
		h = Mix(h, o.steps[s.Cause])
	}
	if s.Joined {
		h = Mix(h, o.ended)
	}
	if len(s.Settled) > 0 {
		h = Mix(h, o.settled(s.Settled))
	}
	h = Mix(Mix(h, path), o.base)
	if s.Operation.All {
		h = Mix(h, o.sum)
		o.base = h
	}
	h = Mix(o.after(&s.Operation, h), uint64(s.Case))
	if s.Ended {
		o.ended += h
	}
	o.sum += h
	o.threads[s.Goroutine] = h
	o.steps = append(o.steps, h)
}

// settled sums up what goroutines have done so far.
func (o *Order) settled(ids []uint32) (sum uint64) {
	for _, id := range ids {
		if int(id) < len(o.threads) {
			sum += o.threads[id]
		}
	}
	return sum
}

// after adds what an operation comes after, and what comes after it.
func (o *Order) after(op *Operation, h uint64) uint64 {
	for i := range op.Accesses() {
		a := op.Access(i)
		for int(a.Object) >= len(o.objects) {
			o.objects = append(o.objects, objectOrder{})
		}
		h = Mix(h, o.objects[a.Object].before(a.Mode))
	}
	for i := range op.Accesses() {
		a := op.Access(i)
		at := &o.objects[a.Object]
		if a.Mode == Changes {
			*at = objectOrder{changed: h}
		} else {
			at.since[a.Mode] += h
		}
	}
	return h
}

func (at *objectOrder) before(m Mode) uint64 {
	h := at.changed
	for mode, sum := range at.since {
		if sum != 0 && !Commute(m, Mode(mode)) {
			h += sum
		}
	}
	return h
}

func Mix(a, b uint64) uint64 {
	h := (a ^ b>>32 ^ b<<32 ^ 0x632be59bd9b4e019) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
