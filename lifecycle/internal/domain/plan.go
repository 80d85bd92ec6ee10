package domain

import (
	"maps"
	"slices"
	"time"
)

// Plan is a snapshot of one plan. It is a copy: the service never changes it, and changing it has
// no effect on the service.
type Plan struct {
	ID       string // a ULID
	ParentID string // the plan that made this one, a ULID; empty for a root
	RootID   string // the root of the tree of plans, a ULID; the plan's own ID for a root
	Attempt  int    // 1 at first, one more after each resume and revert

	Name             Name
	Action           Name
	Description      string
	DefinitionOfDone string
	Profile          string            // the automation profile; fixed
	Arguments        map[string]string // every declared argument that has a value, by name
	Projects         []ProjectLink

	Phase   Phase
	State   State
	Version int64 // 1 at first, one more after each change that makes an event

	Archived bool // it was archived, see Service.ArchivePlan

	Claim Claim // the last claim; its Fence is 0 if there was none

	ChangesetID    string // the newest changeset of the plan, a ULID; empty if none was started
	Applied        int    // how many of its changes are applied, counted in the order of ExecutionContext.Changes
	SandboxRefs    []string
	DecisionRootID string // what the strategy decided; free form

	ErrorMessage      string            // why the last phase errored, was constrained or was cancelled
	ErrorDetails      map[string]string // by free key, as the failing workers gave them
	LastCompletedStep int               // how far the last phase got, for a resume; 0 if unknown
	Reversions        []Reversion       // oldest first, at most MaxReversions

	CreatedAt  time.Time // UTC, to the microsecond, as are all times here
	UpdatedAt  time.Time // of the last transition
	FinishedAt time.Time // when a terminal state was reached; zero before
}

// ProjectLink ties a plan to a project that it works on.
type ProjectLink struct {
	Name     Name
	Alias    string // what the plan calls it; empty for its own name
	ReadOnly bool   // the plan may read the project but not change it
}

// Reversion records one revert of a plan.
type Reversion struct {
	From   Position
	To     Position
	Reason string
	At     time.Time
}

// Position returns the plan's phase and state together.
func (p Plan) Position() Position { return Position{p.Phase, p.State} }

// unshare copies everything that p shares with the plan it was copied from.
func (p *Plan) unshare() {
	p.Arguments = maps.Clone(p.Arguments)
	p.Projects = slices.Clone(p.Projects)
	p.SandboxRefs = slices.Clone(p.SandboxRefs)
	p.ErrorDetails = maps.Clone(p.ErrorDetails)
	p.Reversions = slices.Clone(p.Reversions)
}

// Clone returns a copy of a plan or an action that shares nothing with it.
func Clone[V any, P interface {
	*V
	unshare()
}](v V) V {
	P(&v).unshare()
	return v
}

// CloneAll returns a copy of a listing that shares nothing with it.
func CloneAll[V any, P interface {
	*V
	unshare()
}](all []V) []V {
	all = slices.Clone(all)
	for i := range all {
		P(&all[i]).unshare()
	}
	return all
}

// Cloned returns a clone of found, or the error.
func Cloned[V any, P interface {
	*V
	unshare()
}](found *V, err error) (V, error) {
	if err != nil {
		var none V
		return none, err
	}
	return Clone[V, P](*found), nil
}

// ClonedAll returns a clone of the listing found, or the error.
func ClonedAll[V any, P interface {
	*V
	unshare()
}](found *[]V, err error) ([]V, error) {
	if err != nil {
		return nil, err
	}
	return CloneAll[V, P](*found), nil
}

// AddDetails adds to the details of a plan's error.
func AddDetails(p *Plan, details map[string]string) {
	if len(details) == 0 {
		return
	}
	if p.ErrorDetails == nil {
		p.ErrorDetails = make(map[string]string, len(details))
	}
	maps.Copy(p.ErrorDetails, details)
}
