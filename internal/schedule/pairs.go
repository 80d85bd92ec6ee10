package schedule

// Pairs computes the pairs of places in the code whose operations met on one object: an operation,
// and the last change of the object before it by another goroutine, or none. Each pair appears once.
type Pairs struct {
	last []lastChange // of each object, by its number
	met  map[uint64]bool
}

// A lastChange is the place and goroutine of an object's last change; zero means none.
type lastChange struct {
	site      uint64
	goroutine uint32
}

// mostPairs bounds the pairs of one execution.
const mostPairs = 1 << 12

// Of returns the pairs of an execution, unordered, as hashes that are the same in all
// executions of a program. The list may be incomplete if it has mostPairs elements.
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

// Placed returns the number of accesses of a step, or 0 if its place in the code is unknown.
func (s *Step) Placed() int {
	if s.Operation.Site == 0 {
		return 0
	}
	return s.Operation.Accesses()
}
