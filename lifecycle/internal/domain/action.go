package domain

import (
	"slices"
	"time"
)

// ActionState says whether an action can be used.
type ActionState string

// The states of an action.
const (
	ActionAvailable ActionState = "available"
	ActionArchived  ActionState = "archived" // permanently
)

// ActionSpec describes an action to be created.
type ActionSpec struct {
	Name             string // [[server:]namespace/]name, see [ParseName]
	Description      string
	DefinitionOfDone string
	Actors           Actors
	Arguments        []Argument // in the order in which they are asked for
	Reusable         bool       // false: the first use archives the action
	ReadOnly         bool       // its plans read and do not change anything
}

// Actors assigns the work. Each field is the free-form name of an actor.
type Actors struct {
	Strategy   string // required
	Execution  string // required
	Estimation string // optional, as are the rest
	Review     string
	Apply      string
	Invariant  string
}

// Action is a snapshot of one action: a template from which plans are made. Everything but its
// state and use count is fixed when it is created.
type Action struct {
	Name             Name // its key
	Description      string
	DefinitionOfDone string
	Actors           Actors
	Arguments        []Argument // ordered by position, which counts from 1
	Reusable         bool
	ReadOnly         bool

	State     ActionState
	Uses      int64     // how many plans were made from it
	CreatedAt time.Time // UTC, to the microsecond
	UpdatedAt time.Time // the time of the last use, or of archiving
}

// Like reports whether a and b define the same plans: whether all but their state, uses and times are equal.
func Like(a, b Action) bool {
	sameBound := func(x, y *float64) bool { return x == y || x != nil && y != nil && *x == *y }
	return a.Name == b.Name && a.Description == b.Description && a.DefinitionOfDone == b.DefinitionOfDone &&
		a.Actors == b.Actors && a.Reusable == b.Reusable && a.ReadOnly == b.ReadOnly &&
		slices.EqualFunc(a.Arguments, b.Arguments, func(x, y Argument) bool {
			same := sameBound(x.Min, y.Min) && sameBound(x.Max, y.Max)
			x.Min, x.Max, y.Min, y.Max = nil, nil, nil, nil
			return same && x == y
		})
}

// unshare copies everything that a shares with the action it was copied from.
func (a *Action) unshare() {
	a.Arguments = slices.Clone(a.Arguments)
	for i := range a.Arguments {
		x := &a.Arguments[i]
		x.Min, x.Max = cloneBound(x.Min), cloneBound(x.Max)
	}
}
