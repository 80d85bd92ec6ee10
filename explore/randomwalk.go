package explore

// RandomWalk chooses uniformly among the goroutines that can run, at every
// point. In the study of Thomson, Donaldson and Betts (Concurrency Testing
// Using Controlled Schedulers, TOPC 2016) it did as well as far cleverer
// searches, and it has nothing to tune.
func RandomWalk() Strategy { return &randomWalk{} }

type randomWalk struct {
	drawn
	seeds rng
}

func (*randomWalk) Name() string { return "random" }

func (s *randomWalk) Reset(seed uint64) { *s = randomWalk{seeds: rng(seed)} }

func (s *randomWalk) Begin() (uint64, bool) { return s.begin(s.draw()) }

func (*randomWalk) End(Trace) {}

func (s *randomWalk) draw() (schedule, bool) { return walk{Seed: s.seeds.next()}, true }

func (*randomWalk) ran(schedule, Trace) {}

// A walk is one random walk.
type walk struct{ Seed uint64 }

func (w walk) start() (picker, uint64) { return &walker{rng(w.Seed)}, w.Seed }

type walker struct{ random rng }

func (w *walker) Pick(p *Point) Choice {
	return Choice{Index: w.random.n(len(p.Runnable)), Case: uint32(w.random.next() >> 32)}
}
