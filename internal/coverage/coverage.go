// Package coverage reports what the executions of a search did at each operation of the
// source, as requirements that a Go programmer can read: that a lock was contended, that
// a case of a select was chosen, that a comparison failed. A requirement that was not met
// was not tested. The package holds plain data; package collect makes it from executions.
package coverage

import (
	"cmp"
	"fmt"
	"slices"
)

// A Kind classifies operations by their requirements.
type Kind string

// The kinds. Operations of kind Other have no requirements.
const (
	Other          Kind = ""
	Lock           Kind = "lock"
	Try            Kind = "try"
	CompareAndSwap Kind = "compare"
	Send           Kind = "send"
	Receive        Kind = "receive"
	Select         Kind = "select"
	Wait           Kind = "wait"   // for a wait group
	Signal         Kind = "signal" // of a condition variable
	Once           Kind = "once"
	Stop           Kind = "stop" // of a timer
)

// A Count says what an operation has done in all executions.
type Count struct {
	Times   int // it was begun
	Waited  int // it had to wait; for a Once, while another goroutine was in it
	Refused int // it failed, met no waiter or came too late; a select took its default
	Rivals  int // executions in which another goroutine could have held the mutex that it takes
	// Alike says that the search was exhausted: every execution, whether the operation waits
	// in it or not, is equivalent to one that was run, as far as the program can observe.
	Alike bool `json:",omitempty"`
	// Cases says how many times each case of a select was taken, in the compiler's
	// order: the first Sends cases send, in source order; the others are in reverse.
	Cases []int `json:",omitempty"`
	Sends int   `json:",omitempty"`
}

// Add adds the counts of other executions.
func (c *Count) Add(o Count) {
	c.Alike = (c.Alike || c.Times == 0) && (o.Alike || o.Times == 0)
	c.Times += o.Times
	c.Waited += o.Waited
	c.Rivals += o.Rivals
	c.Refused += o.Refused
	c.Sends = max(c.Sends, o.Sends)
	for i, n := range o.Cases {
		if i == len(c.Cases) {
			c.Cases = append(c.Cases, 0)
		}
		c.Cases[i] += n
	}
}

// A Spot is an operation in the source.
type Spot struct {
	File string `json:"file"` // as the compiler was given it: below the module's path
	Line int    `json:"line"`
	Op   string `json:"op"` // its name there: Lock, CompareAndSwap
	Kind Kind   `json:"kind,omitempty"`
}

// An Operation is a spot and its counts.
type Operation struct {
	Spot
	Count
}

// An Order says in how many executions one operation came before a conflicting one of
// another goroutine, where nothing else ordered the two.
type Order struct {
	First, Then int // indices in Listing.Operations
	Seen        int
}

// A Listing is the coverage of one or more tests.
type Listing struct {
	Operations []Operation
	Orders     []Order `json:",omitempty"`
}

// Merge adds another listing, in which a spot may occur several times. A nil listing is empty.
func (l *Listing) Merge(o *Listing) {
	if o == nil {
		return
	}
	spots, orders := make(map[Spot]int), make(map[[2]int]int)
	for i, op := range l.Operations {
		spots[op.Spot] = i
	}
	for i, order := range l.Orders {
		orders[[2]int{order.First, order.Then}] = i
	}
	place := make([]int, len(o.Operations))
	for i, op := range o.Operations {
		at, known := spots[op.Spot]
		if !known {
			at = len(l.Operations)
			l.Operations = append(l.Operations, Operation{Spot: op.Spot})
			spots[op.Spot] = at
		}
		l.Operations[at].Add(op.Count)
		place[i] = at
	}
	for _, order := range o.Orders {
		two := [2]int{place[order.First], place[order.Then]}
		at, known := orders[two]
		if !known {
			at = len(l.Orders)
			l.Orders = append(l.Orders, Order{First: two[0], Then: two[1]})
			orders[two] = at
		}
		l.Orders[at].Seen += order.Seen
	}
}

// A Pair is two conflicting operations, with the numbers of executions in which each
// came first by the schedule alone. Then has come first less often.
type Pair struct {
	First    Spot `json:"first"`
	Then     Spot `json:"then"`
	Seen     int  `json:"seen"`
	Reversed int  `json:"reversed"`
}

// Pairs returns all pairs of different operations.
func (l *Listing) Pairs() (all []Pair) {
	seen := make(map[[2]int]int)
	for _, o := range l.Orders {
		seen[[2]int{o.First, o.Then}] = o.Seen
	}
	for _, o := range l.Orders {
		back := seen[[2]int{o.Then, o.First}]
		if o.First != o.Then && (o.Seen > back || o.Seen == back && o.First < o.Then) {
			all = append(all, Pair{l.Operations[o.First].Spot, l.Operations[o.Then].Spot, o.Seen, back})
		}
	}
	slices.SortFunc(all, func(a, b Pair) int { return cmp.Or(a.First.compare(b.First), a.Then.compare(b.Then)) })
	return all
}

// Missing says which order of the two was not seen; where formats a file name.
func (p Pair) Missing(where func(file string) string) string {
	return fmt.Sprintf("this %s never came after the %s at %s:%d", p.First.Op, p.Then.Op, where(p.Then.File), p.Then.Line)
}

// OneWays returns the pairs of which only one order was seen.
func OneWays(pairs []Pair) []Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool { return p.Reversed > 0 })
}

// A Report is a listing in the form for JSON.
type Report struct {
	Met          int           `json:"met"`
	Of           int           `json:"of"`
	Requirements []Requirement `json:"requirements"`
	Pairs        []Pair        `json:"pairs"`
}

// Report returns the listing's report; nil if the listing is empty.
func (l *Listing) Report(in Sources) *Report {
	if l == nil || len(l.Operations) == 0 {
		return nil
	}
	all := l.Requirements(in)
	return &Report{Met: Met(all), Of: len(all), Requirements: all, Pairs: l.Pairs()}
}

func (s Spot) compare(o Spot) int {
	return cmp.Or(cmp.Compare(s.File, o.File), cmp.Compare(s.Line, o.Line), cmp.Compare(s.Op, o.Op))
}
