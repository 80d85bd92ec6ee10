package strategy

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Directed has operations come right after others on the same object: this load
// after that store, this lock after that unlock, this receive after that send, or
// before any other goroutine has touched the object. It draws a few such demands for
// each schedule, by places in the code, among those that the executions so far make
// thinkable, and prefers what was never met, or never together with the others. POS
// decides all else (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for
// Concurrency Testing, ASPLOS 2024, sections 4 and 5).
//
// So goroutines that run the same code are one to it, however many they are, and a
// bug that needs one of a hundred to come first is as near as one of two.
//
// Departures: there is no corpus of schedules that are mutated; by the paper's own
// figures as many bugs are found without. Demands are made of locks, channels and
// all other objects too, not of memory alone. One that keeps out all others that
// could run, or that holds somebody up for longer than a whole execution has taken,
// is dropped. One schedule in four is plain POS.
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

// A demand is that operations at a place come right after one at another place,
// of another goroutine; or, where that is 0, before all of others; or, where it is never,
// once nobody else can go on.
type demand struct {
	pair
	at     mark     // what is aimed at, instead of Place
	skip   int      // so many operations at Place are let pass
	rivals []uint64 // places of changes that would come between
	once   bool     // it is for one operation only
	one    bool     // it is for the goroutine only that comes first to it
	who    uint32   // which that is; 0 is not known yet
	over   bool     // it has been met, or was dropped
}

// A mark stands for what is this near to a target; the zero mark for nothing.
type mark struct {
	Near   schedule.Nearness
	Target uint8
}

// of reports whether the demand is for an operation.
func (d *demand) of(o *schedule.Operation) bool {
	if d.at != (mark{}) {
		return o.Target == d.at.Target && o.Near >= d.at.Near
	}
	return o.Site == d.Place
}

// never stands for a place after which nothing comes.
const never = ^uint64(0)

// A directedPicker is one schedule.
type directedPicker struct {
	rest     passer
	demands  []demand
	drive    bool     // who is near to a target, or is yet to begin, goes first
	patience int      // how many decisions demands may still hold somebody up
	last     []change // of each object, by its number
	seen     int      // steps that last has been told of
	held     []bool   // reused
}

// A change is the last one of an object.
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
	c := s.rest.among(p, nil)
	for id := p.Runnable[c.Index]; ; {
		d := s.holds(id, p.Pending[id])
		if d == nil {
			return c
		}
		d.over = true
	}
}

// lead holds all but those that are to go first, if one of them can go on.
func (s *directedPicker) lead(p *schedule.Point) bool {
	first := func(i int) bool {
		o := &p.Pending[p.Runnable[i]]
		return !s.held[i] && p.Runnable[i] != schedule.Clock && (i != p.Current || !p.Yielded) && (o.Near > schedule.Elsewhere || o.Site == 0 && !o.All)
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

// holds is a demand for which a goroutine has to wait with its operation; nil if
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

// keeps reports whether an access has to wait: for what it is to come after, or
// because it would come between.
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

// follow notes what the steps since the last decision have changed.
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

// meet ends the demands for one operation that a step has met.
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

// A directedState is what the next schedules depend on.
type directedState struct {
	Random schedule.RNG
	Met    relations
}

// Checkpoint has what was learnt.
func (s *directed) Checkpoint() ([]byte, error) { return pack(directedState{s.random, s.met}) }

// Restore goes on from a checkpoint.
func (s *directed) Restore(checkpoint []byte) error {
	k := directedState{Met: newRelations()}
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = directed{random: k.Random, met: k.Met}
	return nil
}
