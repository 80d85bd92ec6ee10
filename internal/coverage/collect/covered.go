package collect

import (
	"cmp"
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A Key identifies an operation in every process of a program.
type Key struct {
	PC   int64 // see source.Relative
	Op   string
	Kind coverage.Kind
}

// A Covered says what one or more executions have done, in the form for other processes
// and for checkpoints.
type Covered struct {
	Ops    []Op
	Orders []coverage.Order // indices in Ops
}

// An Op is an operation and its counts.
type Op struct {
	Key
	coverage.Count
}

// End returns what the execution has done.
func (c *Collector) End(ex *engine.Execution) (all Covered) {
	c.orders.of(ex.Trail, c.steps, func(spot int) group { return c.list[spot].group })
	for spot := range c.orders.rivals {
		c.counts[c.list[spot].as].Rivals++
	}
	place := make(map[int]int)
	at := func(spot int) int {
		i, known := place[spot]
		if !known {
			i = len(all.Ops)
			all.Ops = append(all.Ops, Op{c.list[spot].Key, c.counts[spot]})
			place[spot] = i
		}
		return i
	}
	for i := range c.counts {
		if c.counts[i].Times > 0 {
			at(i)
			all.Ops[place[i]].Cases = slices.Clone(c.counts[i].Cases)
		}
	}
	for two := range c.orders.found {
		all.Orders = append(all.Orders, coverage.Order{First: at(two[0]), Then: at(two[1]), Seen: 1})
	}
	return all
}

// A Total accumulates what many executions have done.
type Total struct {
	ops    map[Key]*coverage.Count
	orders map[[2]Key]int
}

// NewTotal returns an empty Total.
func NewTotal() *Total {
	return &Total{ops: make(map[Key]*coverage.Count), orders: make(map[[2]Key]int)}
}

// Add adds what one or more executions have done.
func (t *Total) Add(c Covered) {
	for i := range c.Ops {
		n := t.ops[c.Ops[i].Key]
		if n == nil {
			n = new(coverage.Count)
			t.ops[c.Ops[i].Key] = n
		}
		n.Add(c.Ops[i].Count)
	}
	for _, o := range c.Orders {
		t.orders[[2]Key{c.Ops[o.First].Key, c.Ops[o.Then].Key}] += o.Seen
	}
}

// Covered returns the total, in an order that does not depend on the order of the additions.
func (t *Total) Covered() (all Covered) {
	place := make(map[Key]int)
	for _, key := range slices.SortedFunc(maps.Keys(t.ops), Key.compare) {
		place[key] = len(all.Ops)
		all.Ops = append(all.Ops, Op{key, *t.ops[key]})
	}
	for two, seen := range t.orders {
		all.Orders = append(all.Orders, coverage.Order{First: place[two[0]], Then: place[two[1]], Seen: seen})
	}
	slices.SortFunc(all.Orders, func(a, b coverage.Order) int { return cmp.Or(a.First-b.First, a.Then-b.Then) })
	return all
}

func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.PC, o.PC), cmp.Compare(k.Op, o.Op), cmp.Compare(k.Kind, o.Kind))
}

// Listing returns what was done at each operation of the source. It merges operations
// with the same name on one line.
func (c Covered) Listing() *coverage.Listing {
	each := &coverage.Listing{Orders: c.Orders}
	for _, op := range c.Ops {
		f := source.ProgramFrame(source.Absolute(op.PC))
		each.Operations = append(each.Operations, coverage.Operation{Spot: coverage.Spot{File: f.File, Line: f.Line(), Op: op.Op, Kind: op.Kind}, Count: op.Count})
	}
	all := new(coverage.Listing)
	all.Merge(each)
	return all
}
