package steps

import (
	"context"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// An Outcome is what an exploration found, as it travels between processes.
type Outcome struct {
	Verdict string `json:"verdict"`           // as explore.Verdict reads
	Kind    string `json:"kind,omitempty"`    // of a violation
	Message string `json:"message,omitempty"` // of a violation: what happened, in one line
	Summary string `json:"summary"`           // how it was found, or why nothing was
}

// Holds reports whether no schedule failed.
func (o Outcome) Holds() bool { return o.Verdict == explore.Holds.String() }

// Violated reports whether a schedule failed.
func (o Outcome) Violated() bool { return o.Verdict == explore.Violated.String() }

// documented reports whether a violation is of a kind in which a documented
// race shows: a failed check of the body, or a crash.
func (o Outcome) documented() bool {
	switch races.Kind(o.Kind) {
	case races.KindCheck, races.KindPanic, races.KindFatal:
		return o.Violated()
	}
	return false
}

// An ExploreFunc explores a cell of the catalogue, such as "R4/suggested". It
// may be called by several goroutines, and must return soon after its context
// is done. It returns an error if it could not explore; that nothing can be
// concluded is an outcome.
type ExploreFunc func(ctx context.Context, id string) (Outcome, error)

// seed is that of every exploration, so that a run of the features does the
// same each time.
const seed = 1

// Explore is the [ExploreFunc] that explores in this process, as jacquard races
// does with seed 1. The process must be under control; see explore.Controlled.
// Explorations of one process run one after the other.
func Explore(ctx context.Context, id string) (Outcome, error) {
	s, err := explored.Find(id)
	if err != nil {
		return Outcome{}, err
	}
	r, err := s.Explore(ctx, seed, explored.Manner{})
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Verdict: r.Verdict.String(), Summary: r.Summary()}
	if r.Failure != nil {
		o.Kind, o.Message = string(r.Failure.Kind), r.Failure.Message
	}
	return o, nil
}
