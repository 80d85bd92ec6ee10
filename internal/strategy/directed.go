package strategy

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Directed makes operations come right after others on the same object: this load after
// that store, this lock after that unlock, this receive after that send, or before any
// other goroutine has touched the object. For each schedule it draws a few such
// demands, as places in the code, among those that the executions so far suggest are
// possible. It prefers demands never met, or never met together with the others. POS
// decides everything else (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for
// Concurrency Testing, ASPLOS 2024, sections 4 and 5).
//
// Goroutines that run the same code are thus treated alike, however many they are. A
// bug that needs one of a hundred to come first is as likely to be found as one of two.
//
// Departures: there is no corpus of mutated schedules; by the paper's own figures as
// many bugs are found without one. Demands involve locks, channels and all other
// objects, not just memory. A demand that blocks all goroutines that could run, or
// holds one up for longer than a whole execution has taken, is dropped. One schedule in
// four is plain POS.
func Directed() schedule.Strategy { return &directed{} }

type directed struct {
	random schedule.RNG
	met    relations
	picker directedPicker
}

func (*directed) Name() string { return "directed" }

func (s *directed) Reset(seed uint64) {
	*s = directed{random: schedule.RNG(seed), met: newRelations()}
}

func (s *directed) Begin() (uint64, bool) {
	seed := s.random.Next()
	s.picker = directedPicker{
		rest: &posPicker{random: schedule.RNG(seed), low: posLow}, demands: s.met.draw(&s.random, s.met.Places), patience: max(s.met.Longest, 50),
	}
	return seed, true
}

func (s *directed) Pick(p *schedule.Point) schedule.Choice { return s.picker.Pick(p) }

func (s *directed) End(run schedule.Trace) { s.met.learn(run) }

// A demand asks that operations at Place come right after a change at After by another
// goroutine. If After is 0, they must come before all changes by others; if it is never,
// once no other goroutine can continue.
type demand struct {
	pair
	at     mark     // if not zero, the target that stands for Place
	skip   int      // how many operations at Place may still pass
	rivals []uint64 // places of changes that must not come in between
	once   bool     // the demand is over after one operation
	one    bool     // only the first goroutine that comes to it is held
	who    uint32   // that goroutine; 0 is not known yet
	keep   bool     // others are dropped before it
	over   bool     // met, or dropped
}

// A mark stands for operations at least this near to a target; the zero mark for none.
type mark struct {
	Near   schedule.Nearness
	Target uint8
}

// of reports whether the demand concerns an operation.
func (d *demand) of(o *schedule.Operation) bool {
	if d.at != (mark{}) {
		return o.Target == d.at.Target && o.Near >= d.at.Near
	}
	return o.Site == d.Place
}

// never stands for a place after which nothing comes.
const never = ^uint64(0)

// A directedPicker runs one schedule.
type directedPicker struct {
	rest     passer
	demands  []demand
	drive    bool     // goroutines near a target, or yet to begin or start others, go first
	patience int      // decisions for which demands may still hold goroutines
	last     []change // last change of each object, by its number
	seen     int      // number of steps that last includes
	held     []bool   // reused
}

// A change is the last change of an object.
type change struct {
	site      uint64 // 0 is none
	goroutine uint32
}

func (s *directedPicker) Pick(p *schedule.Point) schedule.Choice {
	s.follow(p.Steps)
	if len(s.demands) == 0 && !s.drive {
		return s.rest.among(p, nil)
	}
	held, free := s.held[:0], 0
	for i, id := range p.Runnable {
		h := s.holds(id, p.Pending[id]) != nil
		if held = append(held, h); !h && id != schedule.Clock && (i != p.Current || !p.Yielded) {
			free++
		}
	}
	s.held = held
	if s.drive && s.lead(p) {
		free = 1
	}
	if !slices.Contains(held, true) {
		return s.rest.among(p, nil)
	}
	s.patience--
	if free > 0 && s.patience > 0 {
		return s.rest.among(p, held)
	}
	c := s.rest.among(p, s.lasting(p))
	for id := p.Runnable[c.Index]; ; {
		d := s.holds(id, p.Pending[id])
		if d == nil {
			return c
		}
		d.over = true
	}
}

// lasting returns which goroutines stay held although one that is held must continue; nil if
// any may.
func (s *directedPicker) lasting(p *schedule.Point) []bool {
	kept, others := false, false
	for i, id := range p.Runnable {
		d := s.holds(id, p.Pending[id])
		s.held[i] = d != nil && d.keep
		kept, others = kept || s.held[i], others || d != nil && !d.keep
	}
	if !kept || !others {
		return nil
	}
	return s.held
}

// lead holds all but the goroutines that must go first, if one of them can continue.
func (s *directedPicker) lead(p *schedule.Point) bool {
	first := func(i int) bool {
		o := &p.Pending[p.Runnable[i]]
		return !s.held[i] && p.Runnable[i] != schedule.Clock && (i != p.Current || !p.Yielded) && (o.Near > schedule.Elsewhere || o.Object == 0 && !o.All)
	}
	leads := false
	for i := range p.Runnable {
		leads = leads || first(i)
	}
	for i := range p.Runnable {
		s.held[i] = s.held[i] || leads && !first(i)
	}
	return leads
}

// holds returns a demand for which a goroutine must wait with its operation; nil if
// there is none.
func (s *directedPicker) holds(id uint32, o schedule.Operation) *demand {
	if o.Site == 0 {
		return nil
	}
	for i := range s.demands {
		d := &s.demands[i]
		if d.over {
			continue
		}
		for k := range o.Accesses() {
			if d.keeps(id, &o, o.Access(k), s.changeOf(o.Access(k).Object)) {
				return d
			}
		}
	}
	return nil
}

// keeps reports whether an access must wait: for the change that it is to come after,
// or because it would come in between.
func (d *demand) keeps(id uint32, o *schedule.Operation, a schedule.Access, was change) bool {
	if d.of(o) {
		if d.skip > 0 {
			return false
		}
		if d.one && d.who == 0 {
			d.who = id
		}
		if d.one && d.who != id {
			return false
		}
		return d.After != 0 && (was.site != d.After || was.goroutine == id)
	}
	return was.site == d.After && o.Site != d.After && !a.Mode.Looks() && slices.Contains(d.rivals, o.Site)
}

// follow records the steps since the last decision.
func (s *directedPicker) follow(steps []schedule.Step) {
	for i := range steps[s.seen:] {
		step := &steps[s.seen+i]
		s.pass(&step.Operation)
		for k := range step.Placed() {
			a := step.Operation.Access(k)
			s.meet(step, s.changeOf(a.Object))
			if !a.Mode.Looks() {
				for int(a.Object) >= len(s.last) {
					s.last = append(s.last, change{})
				}
				s.last[a.Object] = change{step.Operation.Site, step.Goroutine}
			}
		}
	}
	s.seen = len(steps)
}

// pass counts an operation that a demand lets pass.
func (s *directedPicker) pass(o *schedule.Operation) {
	for i := range s.demands {
		if d := &s.demands[i]; d.skip > 0 && d.of(o) {
			d.skip--
		}
	}
}

// meet ends the once-demands that a step has met.
func (s *directedPicker) meet(step *schedule.Step, was change) {
	for i := range s.demands {
		if d := &s.demands[i]; d.once && d.of(&step.Operation) && d.After == was.site && was.goroutine != step.Goroutine {
			d.over = true
		}
	}
}

func (s *directedPicker) changeOf(object uint32) change {
	if int(object) < len(s.last) {
		return s.last[object]
	}
	return change{}
}

// A directedState is what determines the next schedules.
type directedState struct {
	Random schedule.RNG
	Met    relations
}

// Checkpoint saves what was learnt.
func (s *directed) Checkpoint() ([]byte, error) { return pack(directedState{s.random, s.met}) }

// Restore resumes from a checkpoint.
func (s *directed) Restore(checkpoint []byte) error {
	k := directedState{Met: newRelations()}
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = directed{random: k.Random, met: k.Met}
	return nil
}
