package schedule

// An Order computes a sum of an execution that ignores the order of operations that do
// not conflict: two executions in which every pair of conflicting operations comes in
// the same order have the same sum (they are one Mazurkiewicz trace). Each step hashes
// the steps that it comes after; the sum of all step hashes does not depend on their
// order. Goroutines are identified by the go statements that led to them, because their
// numbers depend on the order of their start. Objects have no part in it, because their
// numbers depend on the order too.
type Order struct {
	sum     uint64
	base    uint64        // hash of what all later steps come after
	steps   []uint64      // hash of each step
	threads []uint64      // hash of each goroutine's last step
	objects []objectOrder // by number
	ended   uint64        // of the ends of goroutines for which T.Wait waits
}

// An objectOrder holds the steps on an object that later operations come after.
type objectOrder struct {
	changed uint64        // hash of the last change
	since   [Modes]uint64 // sums of the other operations since, by mode
}

// Of returns the sum of an execution, and reuses the Order's memory. path identifies
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
	// Resumed steps are unobservable: without blocking, T.Wait, a wait group or a channel
	// would have returned at once, and an attempt to lock would have come later. What follows
	// in them may depend on the time all the same.
	if !s.Resumed && s.Waits == 0 {
		h = o.visible(s, h, path)
		o.sum += h
	}
	if s.Operation.has(ReadsTime) {
		h = o.on(ReadsTime, Mix(h, o.of(ReadsTime)))
		o.sum += h
	}
	if s.Ended {
		o.ended += h
	}
	o.threads[s.Goroutine] = h
	o.steps = append(o.steps, h)
}

// visible returns the hash of a step, apart from its dependence on the time.
func (o *Order) visible(s *Step, h, path uint64) uint64 {
	if s.Cause >= 0 && !s.Operation.Mode.Behind(Frees) { // if it waited for a lock, its waker is the unlock
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
	return Mix(o.after(&s.Operation, h), uint64(s.Case))
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

// after mixes into h what an operation comes after, and records the operation for later ones.
func (o *Order) after(op *Operation, h uint64) uint64 {
	for i := range op.Accesses() {
		if a := op.Access(i); a != ReadsTime && a.Object != WaitObject {
			h = Mix(h, o.of(a))
		}
	}
	for i := range op.Accesses() {
		if a := op.Access(i); a != ReadsTime && a.Object != WaitObject {
			o.on(a, h)
		}
	}
	return h
}

// of returns the hash of what an access comes after.
func (o *Order) of(a Access) uint64 {
	for int(a.Object) >= len(o.objects) {
		o.objects = append(o.objects, objectOrder{})
	}
	return o.objects[a.Object].before(a.Mode)
}

// on records an access of a step, and returns the step's hash.
func (o *Order) on(a Access, h uint64) uint64 {
	if at := &o.objects[a.Object]; a.Mode == Changes {
		*at = objectOrder{changed: h}
	} else {
		at.since[a.Mode] += h
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
