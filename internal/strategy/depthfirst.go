package strategy

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// DepthFirst runs every schedule with no preemption, then every one with a single preemption,
// and so on up to bound (Musuvathi and Qadeer: Iterative Context Bounding for Systematic
// Testing of Multithreaded Programs, PLDI 2007). Switching to another goroutine when the
// running one blocks, ends or yields is free, so bound 0 is already a finite search. To hold
// goroutines up until a timer fires costs as much as a preemption, and nothing while they are
// held up already. A select with several ready cases is a choice too; it costs nothing. Each
// schedule runs once: a round leaves the schedules with one more preemption to the next
// round.
//
// Random choices other than a select's (the order of a map, math/rand) are those of one
// seed for the whole search.
//
// bound must not be negative.
func DepthFirst(bound int) schedule.Strategy {
	if bound < 0 {
		panic(fmt.Sprintf("explore: DepthFirst bound: got %d, want at least 0", bound))
	}
	return &BoundedSearch{Bound: bound}
}

// A prefix is a schedule given by its deviations; after the last one it continues with
// defaults.
type prefix struct {
	deviations []schedule.Deviation
	cost       int // preemptions
}

// maxPending bounds the schedules found but not yet run.
const maxPending = 1 << 20

type BoundedSearch struct {
	schedule.Drawn
	Bound    int
	seed     uint64
	Round    int      // preemptions of the schedules being run
	pending  []prefix // schedules of this round, as a stack
	later    []prefix // schedules of the next round
	open     int      // schedules drawn and not yet run
	rounds   []int    // schedules of each round
	full     bool     // schedules were left out, because of maxPending or a loop that counts its turns
	diverged bool
}

func (s *BoundedSearch) Name() string { return "dfs" }

// String includes the bound.
func (s *BoundedSearch) String() string { return fmt.Sprint("dfs ≤ ", s.Bound) }

// Exhausted returns the greatest bound up to which every schedule has been run.
func (s *BoundedSearch) Exhausted() schedule.Extent {
	bound := s.UpTo()
	return schedule.Extent{Complete: bound >= 0, Bound: bound, Schedules: s.within(bound)}
}

func (s *BoundedSearch) Reset(seed uint64) {
	*s = BoundedSearch{Bound: s.Bound, seed: seed, pending: []prefix{{}}}
}

// UpTo returns the greatest bound up to which every schedule has been run, or
// -1.
func (s *BoundedSearch) UpTo() int {
	switch {
	case s.full || s.diverged:
		return -1
	case len(s.pending)+s.open > 0:
		return s.Round - 1
	case len(s.later) == 0:
		return s.Bound
	}
	return s.Round
}

// within returns how many schedules with at most bound preemptions were run.
func (s *BoundedSearch) within(bound int) int {
	n := 0
	for round, schedules := range s.rounds {
		if round <= bound {
			n += schedules
		}
	}
	return n
}

func (s *BoundedSearch) Begin() (uint64, bool) { return s.Take(s.Draw()) }

func (s *BoundedSearch) End(run schedule.Trace) { s.Ran(s.Schedule, run) }

func (s *BoundedSearch) Draw() (schedule.Schedule, bool) {
	if len(s.pending) == 0 {
		if s.open > 0 || s.Round == s.Bound || len(s.later) == 0 {
			return nil, false
		}
		s.Round++
		s.pending, s.later = s.later, nil
	}
	for len(s.rounds) <= s.Round {
		s.rounds = append(s.rounds, 0)
	}
	s.rounds[s.Round]++
	last := len(s.pending) - 1
	p := s.pending[last]
	s.pending = s.pending[:last]
	s.open++
	return branch{seed: s.seed, prefix: p}, true
}

// Ran adds the schedules that deviate from this one after its last deviation.
func (s *BoundedSearch) Ran(drawn schedule.Schedule, trace schedule.Trace) {
	run := trace.Decisions
	s.open--
	s.full = s.full || trace.Polled
	p := drawn.(branch).prefix
	first := 0
	if n := len(p.deviations); n > 0 {
		last := p.deviations[n-1]
		if !last.In(run) {
			s.diverged = true
			return
		}
		first = last.At + 1
		s.addCases(p, run[last.At], last.At, last.Choice.Index)
	}
	for i := first; i < len(run); i++ {
		d := run[i]
		s.addCases(p, d, i, d.Default)
		for j := range d.Runnable {
			if j != d.Default {
				s.add(p, i, schedule.Choice{Index: j}, d)
			}
		}
	}
}

// addCases adds the other ready cases of the select that was run at i, if the first
// case was taken.
func (s *BoundedSearch) addCases(from prefix, d schedule.Decision, i, index int) {
	if d.Chosen.Case != 0 {
		return
	}
	for c := 1; c < d.Ready; c++ {
		s.add(from, i, schedule.Choice{Index: index, Case: uint32(c)}, d)
	}
}

func (s *BoundedSearch) add(from prefix, at int, c schedule.Choice, d schedule.Decision) {
	p := prefix{cost: from.cost}
	kept := from.deviations
	if n := len(kept); n > 0 && kept[n-1].At == at {
		kept = kept[:n-1] // the same decision, another case of its select
	} else if d.Costs(c.Index) {
		p.cost++
	}
	if p.cost > s.Bound {
		return
	}
	if len(s.pending)+len(s.later) >= maxPending {
		s.full = true
		return
	}
	p.deviations = append(append([]schedule.Deviation(nil), kept...), schedule.Deviation{At: at, Choice: c, Hash: d.Hash})
	if p.cost > s.Round {
		s.later = append(s.later, p)
	} else {
		s.pending = append(s.pending, p)
	}
}

// A branch is one schedule of a depth-first search.
type branch struct {
	seed uint64
	prefix
}

func (b branch) Start() (schedule.Picker, uint64) {
	return &branchPicker{deviations: b.deviations}, b.seed
}

type branchPicker struct {
	deviations []schedule.Deviation
	at         int // the next of them
}

func (b *branchPicker) Pick(p *schedule.Point) schedule.Choice {
	if b.at < len(b.deviations) {
		if d := b.deviations[b.at]; d.At == p.Index {
			b.at++
			if d.Choice.Index < len(p.Runnable) {
				return d.Choice
			}
		}
	}
	return schedule.Choice{Index: p.Default()}
}

// Stall allows the whole stall time, because the search tries all schedules.
func (b *branchPicker) Stall(most time.Duration) time.Duration { return most }

// GobEncode encodes the schedule as a run that consists of its deviations
// alone.
func (b branch) GobEncode() ([]byte, error) {
	run := make([]schedule.Decision, len(b.deviations))
	for i, d := range b.deviations {
		run[i] = schedule.Decision{Nth: d.At, Chosen: d.Choice, Hash: d.Hash}
	}
	head := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, b.seed), uint64(b.cost))
	return append(head, schedule.EncodeRun(run)...), nil
}

// GobDecode decodes what GobEncode has written.
func (b *branch) GobDecode(text []byte) error {
	if len(text) < 16 {
		return fmt.Errorf("a branch: got %d bytes, want at least 16", len(text))
	}
	run, err := schedule.DecodeRun(text[16:])
	if err != nil {
		return err
	}
	b.seed, b.cost = binary.LittleEndian.Uint64(text), int(binary.LittleEndian.Uint64(text[8:]))
	for _, d := range run {
		b.deviations = append(b.deviations, schedule.Deviation{At: d.Nth, Choice: d.Chosen, Hash: d.Hash})
	}
	return nil
}

// A searchState is what determines the next schedules of a depth-first search.
type searchState struct {
	Seed           uint64
	Round, Open    int
	Pending, Later []branch
	Rounds         []int
	Full, Diverged bool
}

// Checkpoint saves the schedules found but not yet run.
func (s *BoundedSearch) Checkpoint() ([]byte, error) {
	return pack(searchState{
		Seed: s.seed, Round: s.Round, Open: s.open, Pending: branches(s.pending), Later: branches(s.later),
		Rounds: s.rounds, Full: s.full, Diverged: s.diverged,
	})
}

// Restore resumes from a checkpoint.
func (s *BoundedSearch) Restore(checkpoint []byte) error {
	var k searchState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = BoundedSearch{
		Bound: s.Bound, seed: k.Seed, Round: k.Round, pending: prefixes(k.Pending), later: prefixes(k.Later),
		rounds: k.Rounds, full: k.Full, diverged: k.Diverged, open: k.Open,
	}
	return nil
}

func branches(all []prefix) (kept []branch) {
	for _, p := range all {
		kept = append(kept, branch{prefix: p})
	}
	return kept
}

func prefixes(kept []branch) (all []prefix) {
	for _, b := range kept {
		all = append(all, b.prefix)
	}
	return all
}
