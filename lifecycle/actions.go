package lifecycle

import "github.com/jacquard-go/jacquard/lifecycle/internal/domain"

// ArgumentType says how the text of an argument's value is read.
type ArgumentType = domain.ArgumentType

// The argument types.
const (
	ArgumentString  = domain.ArgumentString
	ArgumentInteger = domain.ArgumentInteger // decimal, 64 bits
	ArgumentFloat   = domain.ArgumentFloat   // finite, 64 bits
	ArgumentBoolean = domain.ArgumentBoolean // true or false
)

// Argument declares one argument of an action. Values are text, as they come
// from a command line or a form, and are checked against the declaration when
// the action is used.
//
// Name is unique in its action: letters, digits, hyphens, underscores. An empty Type means
// [ArgumentString]. A use must give a Required argument, unless it has a Default; Default is the
// value when a use gives none, and empty means no default. Description is for people. Min and Max,
// pointers to numbers or nil for none, are inclusive bounds of the number, or of a string's length
// in code points. Pattern is a regular expression (RE2) of at most 4096 bytes that must match the
// whole text; empty for none. Position counts from 1 and is unique in its action; if it is 0 in all
// arguments, they keep the order given.
type Argument = domain.Argument

// ActionState says whether an action can be used.
type ActionState = domain.ActionState

// The states of an action.
const (
	ActionAvailable = domain.ActionAvailable
	ActionArchived  = domain.ActionArchived // permanently
)

// ActionSpec describes an action to be created: its Name, [[server:]namespace/]name, see
// [ParseName]; its Description, DefinitionOfDone and Actors; its Arguments in the order in which
// they are asked for; Reusable, without which the first use archives it; and ReadOnly, if its plans
// read and
// do not change anything.
type ActionSpec = domain.ActionSpec

// Actors assigns the work. Each field is the free-form name of an actor: Strategy and Execution are
// required; Estimation, Review, Apply and Invariant are optional.
type Actors = domain.Actors

// Action is a snapshot of one action: a template from which plans are made. Everything but its
// state and use count is fixed when it is created.
//
// Name is its key. Description, DefinitionOfDone, Actors, Reusable and ReadOnly are those of its
// [ActionSpec]; so are Arguments, ordered by position, which counts from 1. State says whether it
// can be used, Uses how many plans were made from it. CreatedAt and UpdatedAt, the time of the last
// use or of archiving, are in UTC, to the microsecond.
type Action = domain.Action

// UseOptions describes the plan that a use of an action makes. The zero value makes a root plan
// with the action's own name and no arguments.
//
// Name and Description are the plan's (see [ParseName]); empty means the action's. ParentID is the
// plan that makes this one; empty for a root. Profile is the automation profile, which is then
// fixed. Arguments are values by the name of the argument. Projects lists the projects that the
// plan works on.
type UseOptions = domain.UseOptions
