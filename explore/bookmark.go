package explore

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
)

// mostBookmark bounds a bookmark, in bytes. A search whose bookmark would be larger
// has none, and begins anew.
const mostBookmark = 8 << 20

// A bookmark is how far an exploration has come, for another process of the
// program to go on from: its executions are then those that this one would have
// run.
type bookmark struct {
	Program uint32
	Config  uint64
	Name    string
	Course  uint64 // of the default schedule

	Stage    int // of the plan
	End      int // how many schedules there are when it is over
	Size     int // see stageRun
	Strategy kept
	Batch    []schedule // drawn, and not yet run

	Result  Result // what is known so far, without the races
	Noted   []race
	Memory  []int64
	Seen    []uint64
	Used    []string
	Hidden  []string
	Outside string
	Notes   control.Notes
}

// mark is the bookmark of a stage that Config.Enough has ended; nil if there is
// none for its strategy, or it would be too large.
func (x *explorer) mark(s *stageRun) []byte {
	k, ok := underlying(s.strategy).(keeper)
	id, err := x.identity()
	if !ok || err != nil {
		return nil
	}
	b := bookmark{
		Program: id.Program, Config: id.Config, Name: id.Name, Course: id.Course,
		Stage: s.stage, End: s.end, Size: s.size, Strategy: k.keep(), Batch: s.rest,
		Result: *x.result, Noted: racesOf(x.result.Noted), Seen: slices.Collect(maps.Keys(x.seen)),
		Used: slices.Sorted(maps.Keys(x.sites.used)), Hidden: slices.Sorted(maps.Keys(x.sites.hidden)), Outside: x.outside, Notes: x.notes,
	}
	b.Result.Noted = nil
	for _, pc := range x.memory {
		b.Memory = append(b.Memory, relative(pc))
	}
	var text bytes.Buffer
	w, _ := flate.NewWriter(&text, flate.DefaultCompression) // there is such a level
	if gob.NewEncoder(w).Encode(b) != nil || w.Close() != nil || text.Len() > mostBookmark {
		return nil
	}
	return text.Bytes()
}

// open reads the bookmark that the exploration is to go on from; nil if there is
// none, or the default schedule takes another course than it did then: what it
// depends on has changed, and all begins anew.
func (x *explorer) open() (*bookmark, error) {
	if len(x.cfg.Bookmark) == 0 {
		return nil, nil
	}
	b := new(bookmark)
	// Nothing that was made is longer, whatever it is made of.
	r := io.LimitReader(flate.NewReader(bytes.NewReader(x.cfg.Bookmark)), 1<<30)
	if err := gob.NewDecoder(r).Decode(b); err != nil {
		return nil, fmt.Errorf("%w: Bookmark: %w", ErrConfig, err)
	}
	id, err := x.identity()
	switch {
	case err != nil:
		return nil, err
	case b.Program != id.Program || b.Config != id.Config || b.Name != id.Name || b.Stage < 0 || b.Stage >= len(x.cfg.Plan):
		return nil, fmt.Errorf("%w: Bookmark: it is of another program or another exploration", ErrConfig)
	case b.Course != id.Course:
		return nil, nil
	}
	x.goOn(b)
	return b, nil
}

// goOn makes what is known what a bookmark says.
func (x *explorer) goOn(b *bookmark) {
	left := x.result.Left
	*x.result = b.Result
	x.result.Left = left
	x.result.Noted = racesFrom(b.Noted)
	x.earlier = b.Result.Schedules
	for _, pc := range b.Memory {
		x.memory = append(x.memory, absolute(pc))
	}
	for _, order := range b.Seen {
		x.seen[order] = true
	}
	x.sites.leftOut(b.Used, b.Hidden)
	if x.outside == "" {
		x.outside = b.Outside
	}
	x.notes |= b.Notes
}

// A keeper is a Strategy of which another process can go on.
type keeper interface {
	Strategy
	keep() kept
	restore(kept)
}

// kept is what strategies have to know to go on.
type kept struct {
	Seeds uint64 // of the next schedules

	Total map[uint32]int // see surw
	Runs  int

	Length, Last, Round int // see pct

	Pending, Later []branch // see depthFirst
	Rounds         []int
	Full, Diverged bool
	Open           int

	Nodes        []keptNode // see dpor
	Begun        bool
	Fresh, Whole int
	Why          string
}

// underlying is the strategy that a drawer draws from.
func underlying(d drawer) Strategy {
	if s, ok := d.(*single); ok {
		return s.Strategy
	}
	return d
}

func (s *randomWalk) keep() kept     { return kept{Seeds: uint64(s.seeds)} }
func (s *randomWalk) restore(k kept) { *s = randomWalk{seeds: rng(k.Seeds)} }

func (s *pos) keep() kept     { return kept{Seeds: uint64(s.seeds)} }
func (s *pos) restore(k kept) { *s = pos{seeds: rng(k.Seeds)} }

func (s *surw) keep() kept { return kept{Seeds: uint64(s.seeds), Total: s.total, Runs: s.runs} }
func (s *surw) restore(k kept) {
	s.Reset(k.Seeds)
	s.runs = k.Runs
	maps.Copy(s.total, k.Total)
}

func (s *pct) keep() kept {
	return kept{Seeds: uint64(s.seeds), Length: s.length, Last: s.last, Round: s.round}
}
func (s *pct) restore(k kept) {
	s.Reset(k.Seeds)
	s.length, s.last, s.round = k.Length, k.Last, k.Round
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

func (s *depthFirst) keep() kept {
	return kept{
		Seeds: s.seed, Round: s.round, Pending: branches(s.pending), Later: branches(s.later),
		Rounds: s.rounds, Full: s.full, Diverged: s.diverged, Open: s.open,
	}
}
func (s *depthFirst) restore(k kept) {
	*s = depthFirst{
		bound: s.bound, seed: k.Seeds, round: k.Round, pending: prefixes(k.Pending), later: prefixes(k.Later),
		rounds: k.Rounds, full: k.Full, diverged: k.Diverged, open: k.Open,
	}
}

// A keptNode is a node as it is kept.
type keptNode struct {
	Step             int
	Enabled, Wanted  []uint32
	Sleep            []keptSleeper
	Chosen, Selected uint32
	Cases            int
	Did              Operation
	Hash             uint64
	Known            bool
}

type keptSleeper struct {
	ID uint32
	Op Operation
}

func (s *dpor) keep() kept {
	k := kept{Seeds: s.seed, Begun: s.begun, Fresh: s.fresh, Whole: s.whole, Why: s.why}
	for _, n := range s.nodes {
		kn := keptNode{
			Step: n.step, Enabled: n.enabled, Wanted: n.wanted, Chosen: n.chosen, Selected: n.selected,
			Cases: n.cases, Did: n.did, Hash: n.hash, Known: n.known,
		}
		for _, z := range n.sleep {
			kn.Sleep = append(kn.Sleep, keptSleeper{z.id, z.op})
		}
		k.Nodes = append(k.Nodes, kn)
	}
	return k
}

func (s *dpor) restore(k kept) {
	*s = dpor{seed: k.Seeds, begun: k.Begun, fresh: k.Fresh, whole: k.Whole, why: k.Why}
	for _, kn := range k.Nodes {
		n := node{
			step: kn.Step, enabled: kn.Enabled, wanted: kn.Wanted, chosen: kn.Chosen, selected: kn.Selected,
			cases: kn.Cases, did: kn.Did, hash: kn.Hash, known: kn.Known,
		}
		for _, z := range kn.Sleep {
			n.sleep = append(n.sleep, sleeper{z.ID, z.Op})
		}
		s.nodes = append(s.nodes, n)
	}
}
