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

// ErrUnknown: there is no row of that ID.
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

// Effort says how much is tried where more can be found by trying more.
type Effort struct {
	Races  int // keys that eight goroutines race for, a round
	Rounds int // of races, each with a new cache
}

// Probe puts the row's question to caches that open returns. It must run in a process that it may kill, with a bound from
// outside.
func (r Row) Probe(open func() (peers.Cache[string, *Object], error), effort Effort) (Outcome, error) {
	l := &lab{open: open, effort: effort}
	if err := l.fresh(); err != nil {
		return Outcome{}, err
	}
	return r.probe(l), nil
}
