package races

import (
	"slices"
	"strings"
)

// Column says which implementation a body runs against.
type Column string

// The columns, from left to right.
const (
	Reported  Column = "reported"  // the code as the report describes it
	Suggested Column = "suggested" // the same with the fix that a report suggested
	Ours      Column = "ours"      // package lifecycle
)

// Columns returns the columns from left to right.
func Columns() []Column { return []Column{Reported, Suggested, Ours} }

// Want is the verdict that a cell must get.
type Want string

// The wanted verdicts.
const (
	Violated Want = "violated"
	Holds    Want = "holds"
)

// Kind is the way in which a body is violated.
type Kind string

// The kinds, as the runners name them.
const (
	KindCheck    Kind = "check"    // an assertion failed
	KindPanic    Kind = "panic"    // a goroutine panicked
	KindFatal    Kind = "fatal"    // the Go runtime gave up
	KindRace     Kind = "race"     // the race detector reported a data race
	KindDeadlock Kind = "deadlock" // no goroutine can go on
	KindLeak     Kind = "leak"     // a goroutine was left behind
	KindLivelock Kind = "livelock" // the goroutines go on for ever and get nowhere
)

// Body runs one execution and checks it. A failed assertion goes to t. An error means that the execution could not be set
// up or taken down (a file could not be made, a database not opened), so that nothing was judged: a runner must report it
// as such and never as a violation. A body starts from nothing and closes what it opens; it may be run any number of
// times, by several runners at once.
type Body func(t T) error

// Race is one documented race.
type Race struct {
	ID    string // R1 and so on, N1 and so on, as numbered in the analysis of the reports
	Issue int    // the report's number in its tracker
	Title string // one short line
	Must  string // what must hold in every schedule
	Cells []Cell // one for each column that the race has, in their order
}

// Related reports whether the race comes from another report than the four, about the same code: its identifier begins with N.
func (r Race) Related() bool { return strings.HasPrefix(r.ID, "N") }

// Cell is a race in one column.
type Cell struct {
	ID     string // the race's ID, a slash and the column, such as "R4/suggested"
	Column Column
	Want   Want
	Kind   Kind   // of a violated cell: the kind that a user would see; empty if it holds
	Why    string // the reason for this verdict, in one sentence
	Open   func(T) (Subject, error)
	Body   Body
}

// Subject is an opened implementation that a race is about. It also has the methods of the race's interface, for R1 those
// of [Engines], and so on, so that programs other than the cell's body can run on it.
type Subject interface{ Close() error }

// Cell returns the race's cell in that column, and whether it has one.
func (r Race) Cell(column Column) (Cell, bool) {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Column == column })
	if i < 0 {
		return Cell{}, false
	}
	return r.Cells[i], true
}
