package schedule

// Pairs are the orders in which places in the code came to be on one object: of an operation and the
// last change of the object by another goroutine, or none, each two places once.
type Pairs struct {
	last []lastChange // of each object, by its number
	met  map[uint64]bool
}

// A lastChange is where an object was changed last, and by whom; the zero value is nowhere.
type lastChange struct {
	site      uint64
	goroutine uint32
}

// mostPairs bounds the pairs of one execution.
const mostPairs = 1 << 12

// Of are the pairs of an execution, in no order, as hashes that are the same in all executions of
// a program. Nobody knows them all if there are mostPairs.
func (p *Pairs) Of(steps []Step) []uint64 {
	p.last = p.last[:0]
	if p.met == nil {
		p.met = make(map[uint64]bool)
	}
	clear(p.met)
	var all []uint64
	for i := range steps {
		s := &steps[i]
		for k := range s.Placed() {
			a := s.Operation.Access(k)
			for int(a.Object) >= len(p.last) {
				p.last = append(p.last, lastChange{})
			}
			was := &p.last[a.Object]
			if h := Mix(was.site, s.Operation.Site); was.goroutine != s.Goroutine && !p.met[h] && len(all) < mostPairs {
				p.met[h] = true
				all = append(all, h)
			}
			if !a.Mode.Looks() {
				*was = lastChange{s.Operation.Site, s.Goroutine}
			}
		}
	}
	return all
}

// Placed is the number of accesses of a step, if it is known where in the code it is.
func (s *Step) Placed() int {
	if s.Operation.Site == 0 {
		return 0
	}
	return s.Operation.Accesses()
}
