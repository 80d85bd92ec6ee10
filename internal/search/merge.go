package search

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// fewPreemptions is a number of preemptions that the depth-first search reaches without help.
const fewPreemptions = 2

// merge tries to run in one block what a goroutine ran in two: the first block later, or the
// second one sooner. This can remove a deviation together with the one that answered it,
// though neither can be dropped alone (Jalbert, Sen: A Trace Simplification Technique for
// Effective Debugging of Concurrent Programs, FSE 2010). It reports whether that helped.
func (m *minimiser) merge() bool {
	better := false
	blocks := blocksOf(m.best.Trail)
	for i := len(blocks) - 2; i >= 0 && m.more() && schedule.Cost(m.best.Run) > fewPreemptions; i-- {
		again := slices.IndexFunc(blocks[i+1:], func(b block) bool { return b.goroutine == blocks[i].goroutine })
		if again < 0 {
			continue
		}
		later := slices.Delete(slices.Clone(blocks), i, i+1)
		sooner := slices.Delete(slices.Clone(blocks), i+1+again, i+2+again)
		sooner[i].steps = blocks[i+1+again].steps
		if m.follow(later) || m.follow(sooner) {
			better = true
			blocks = blocksOf(m.best.Trail)
			i = min(i+1, len(blocks)-1)
		}
	}
	return better
}

// follow executes blocks in their order, and keeps the execution if it fails for the same
// cause and is simpler.
func (m *minimiser) follow(blocks []block) bool {
	if !m.more() {
		return false
	}
	return m.keep(m.runBlocks(blocks, m.best))
}

// runBlocks executes blocks in their order, with the select cases of another
// execution.
func (m *minimiser) runBlocks(blocks []block, like *engine.Execution) *engine.Execution {
	p := &blocksPicker{blocks: blocks, cases: casesOf(like.Trail), ran: make(map[uint32]int)}
	ex := m.x.Execute(held{p, m.best.Stalls.Bound}, m.seed, nil)
	m.spend(ex)
	return ex
}

// A block is a sequence of steps of one goroutine without steps of others in between.
type block struct {
	goroutine uint32
	steps     int // of the goroutine from its beginning to the end of the block
}

func blocksOf(trail []schedule.Step) []block {
	var blocks []block
	steps := make(map[uint32]int)
	for _, s := range trail {
		if steps[s.Goroutine]++; len(blocks) == 0 || blocks[len(blocks)-1].goroutine != s.Goroutine {
			blocks = append(blocks, block{goroutine: s.Goroutine})
		}
		blocks[len(blocks)-1].steps = steps[s.Goroutine]
	}
	return blocks
}

// casesOf returns the select cases that goroutines took at each of their steps.
func casesOf(trail []schedule.Step) map[uint32][]uint32 {
	cases := make(map[uint32][]uint32)
	for _, s := range trail {
		cases[s.Goroutine] = append(cases[s.Goroutine], s.Case)
	}
	return cases
}

// A blocksPicker runs the first block that can continue. After the last block it picks defaults.
type blocksPicker struct {
	blocks []block
	cases  map[uint32][]uint32
	ran    map[uint32]int // steps made by each goroutine
	seen   int            // length of the trail that ran accounts for
}

func (b *blocksPicker) Pick(p *schedule.Point) schedule.Choice {
	for _, s := range p.Steps[b.seen:] {
		b.ran[s.Goroutine]++
	}
	b.seen = len(p.Steps)
	b.blocks = slices.DeleteFunc(b.blocks, func(k block) bool { return b.ran[k.goroutine] >= k.steps })
	for _, k := range b.blocks {
		if at := slices.Index(p.Runnable, k.goroutine); at >= 0 {
			c := schedule.Choice{Index: at}
			if n := b.ran[k.goroutine]; n < len(b.cases[k.goroutine]) {
				c.Case = b.cases[k.goroutine][n]
			}
			return c
		}
	}
	return schedule.Choice{Index: p.Default()}
}

// wanderShare is the divisor for the share of executions that wander may use.
const wanderShare = 2

// wander looks for a schedule from which dropping and merging reduce further. It alters a
// failing schedule at random, in one or two places, and continues from the result if that
// fails for the same cause with at most one preemption more than the best.
func (m *minimiser) wander() {
	rest := m.left - m.left/wanderShare
	m.left -= rest
	rng := schedule.RNG(m.seed)
	for at := m.best; m.more() && schedule.Cost(m.best.Run) > fewPreemptions; {
		blocks := blocksOf(at.Trail)
		for range 1 + rng.N(2) {
			blocks = altered(blocks, &rng)
		}
		ex := m.runBlocks(blocks, at)
		if !m.alike(ex) || schedule.Cost(ex.Run) > schedule.Cost(m.best.Run)+1 || ex.Steps > m.most {
			continue
		}
		at = ex
		if m.keep(ex) {
			m.shorten()
			at = m.best
		}
	}
	m.left += rest
}

// altered returns blocks with a random change: one block ends elsewhere, is removed, or
// has changed places with the next.
func altered(blocks []block, rng *schedule.RNG) []block {
	if len(blocks) < 2 {
		return blocks
	}
	blocks = slices.Clone(blocks)
	i := rng.N(len(blocks))
	switch rng.N(4) {
	case 0:
		if i+1 < len(blocks) {
			blocks[i], blocks[i+1] = blocks[i+1], blocks[i]
		}
	case 1:
		return slices.Delete(blocks, i, i+1)
	case 2:
		blocks[i].steps += 1 + rng.N(4)
	case 3:
		blocks[i].steps = max(blocks[i].steps-1-rng.N(4), 0)
	}
	return blocks
}
