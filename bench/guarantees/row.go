package guarantees

import (
	"errors"
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// A Row is one question to a cache.
type Row struct {
	ID   string // of the guarantee in the documentation of package cache, with a letter
	What string // the question

	probe func(*lab) Outcome
}

// Rows returns all rows, guarantee by guarantee.
func Rows() []Row {
	return slices.Concat(creationRows, failureRows, contextRows, cycleRows, independenceRows, changeRows, ownershipRows)
}

// ErrUnknown says that there is no row with that ID.
var ErrUnknown = errors.New("guarantees: no such row")

// Find returns a row by its ID.
func Find(id string) (Row, error) {
	for _, r := range Rows() {
		if r.ID == id {
			return r, nil
		}
	}
	return Row{}, fmt.Errorf("%w: got %q", ErrUnknown, id)
}

// Effort says how often probes try what shows only sometimes.
type Effort struct {
	Races  int // keys that eight goroutines race for, in each round
	Rounds int // of races, each with a new cache
}

// Probe runs the row's probe on caches that open returns. It must run in a process that it may kill, with a bound from
// outside.
func (r Row) Probe(open func() (peers.Cache[string, *Object], error), effort Effort) (Outcome, error) {
	l := &lab{open: open, effort: effort}
	if err := l.fresh(); err != nil {
		return Outcome{}, err
	}
	return r.probe(l), nil
}
