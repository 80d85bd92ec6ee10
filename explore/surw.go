package explore

// SURW, selectively uniform random walk, chooses the next goroutine with a
// probability proportional to how many decisions it has left, so that every
// interleaving of the goroutines' decisions is about equally likely (Zhao et
// al.: Selectively Uniform Concurrency Testing, ASPLOS 2025, section 4). A plain
// random walk favours interleavings in which short goroutines end early.
//
// Departures: the counts are not profiled beforehand but learnt, as the average
// over the schedules so far, so the first schedule is a plain random walk. All
// scheduling points are of interest; none is selected. Goroutines are told apart
// by the order of their creation, and the decisions of those that are yet to
// start count as the body's, which starts most of them: or it would rarely come
// to start the last while the first has much to do. One that has outlived its count has one
// decision left; one that yields, or runs for too long, is passed over if
// another can run. A select's ready case is chosen uniformly.
func SURW() Strategy { return &surw{} }

type surw struct {
	drawn
	seeds rng
	total map[uint32]int // decisions by goroutine, of all schedules
	runs  int
	mean  map[uint32]int // decisions by goroutine, of a schedule; nil if not up to date
}

func (*surw) Name() string { return "surw" }

func (s *surw) Reset(seed uint64) { *s = surw{seeds: rng(seed), total: make(map[uint32]int)} }

func (s *surw) Begin() (uint64, bool) { return s.begin(s.draw()) }

func (s *surw) End(run Trace) { s.ran(s.schedule, run) }

func (s *surw) draw() (schedule, bool) {
	if s.mean == nil && s.runs > 0 {
		s.mean = make(map[uint32]int, len(s.total))
		for id, n := range s.total {
			s.mean[id] = (n + s.runs - 1) / s.runs
		}
	}
	return counted{Seed: s.seeds.next(), Mean: s.mean}, true
}

func (s *surw) ran(_ schedule, run Trace) {
	for _, d := range run.Decisions {
		s.total[d.Goroutine]++
	}
	s.runs++
	s.mean = nil
}

// A counted is one schedule of SURW.
type counted struct {
	Seed uint64
	Mean map[uint32]int // decisions by goroutine, estimated; never changed
}

func (s counted) start() (picker, uint64) {
	most := uint32(0)
	for id := range s.Mean {
		most = max(most, id)
	}
	p := &surwPicker{random: rng(s.Seed), left: make([]int, most+1), unborn: make([]int, most+2)}
	for id := most; id > 0; id-- {
		p.left[id] = s.Mean[id]
		p.unborn[id] = p.unborn[id+1] + s.Mean[id]
	}
	return p, s.Seed
}

type surwPicker struct {
	random  rng
	left    []int // decisions that each goroutine has left, by its number
	unborn  []int // and those of all from a number on, before they have begun
	weights []int // reused
}

func (s *surwPicker) Pick(p *Point) Choice {
	sum := 0
	for len(s.left) <= p.Created {
		s.left = append(s.left, 0)
	}
	weights := s.weights[:0]
	for i, id := range p.Runnable {
		weight := 0
		if i != p.Current || !p.Yielded || len(p.Runnable) == 1 {
			weight = s.weight(id, p.Created)
		}
		weights = append(weights, weight)
		sum += weight
	}
	s.weights = weights
	chosen := 0
	for toss := s.random.n(sum); toss >= weights[chosen]; chosen++ {
		toss -= weights[chosen]
	}
	s.left[p.Runnable[chosen]]--
	return Choice{Index: chosen, Case: uint32(s.random.next() >> 32)}
}

// weight estimates a goroutine's remaining decisions, at least one. There are so
// many goroutines by now.
func (s *surwPicker) weight(id uint32, created int) int {
	n := max(s.left[id], 1)
	if id == 1 && created+1 < len(s.unborn) {
		n += s.unborn[created+1]
	}
	return n
}
