package explore

// RandomWalk chooses uniformly among the goroutines that can run, at every
// point. In the study of Thomson, Donaldson and Betts (Concurrency Testing
// Using Controlled Schedulers, TOPC 2016) it did as well as far cleverer
// searches, and it has nothing to tune.
func RandomWalk() Strategy { return &randomWalk{} }

type randomWalk struct {
	seeds rng
	walk  rng
}

func (*randomWalk) Name() string { return "random" }

func (s *randomWalk) Reset(seed uint64) { s.seeds = rng(seed) }

func (s *randomWalk) Begin() (uint64, bool) {
	seed := s.seeds.next()
	s.walk = rng(seed)
	return seed, true
}

func (s *randomWalk) Pick(p *Point) Choice {
	return Choice{Index: s.walk.n(len(p.Runnable)), Case: uint32(s.walk.next() >> 32)}
}

func (*randomWalk) End([]Decision) {}
