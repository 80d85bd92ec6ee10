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
// Name is unique in its action: letters, digits, hyphens, underscores. Type is
// [ArgumentString] if it is empty. If it is Required, a use must give it, unless it
// has a Default, which is used when a use does not give it; empty for none.
// Description is for people. Min and Max, pointers to numbers or nil for none, are
// inclusive bounds of the number, or of a string's length in code points. Pattern is
// a regular expression (RE2) that the whole text matches, of at most 4096 bytes;
// empty for none. Position counts from 1 and is unique in its action; 0 in all for
// the order given.
type Argument = domain.Argument

// ActionState says whether an action can be used.
type ActionState = domain.ActionState

// The states of an action.
const (
	ActionAvailable = domain.ActionAvailable
	ActionArchived  = domain.ActionArchived // for good
)

// ActionSpec is what a caller says about an action to be created: its Name,
// [[server:]namespace/]name, see [ParseName]; its Description, DefinitionOfDone and
// Actors; its Arguments in the order in which they are asked for; whether it is
// Reusable, for if not the first use archives it; and ReadOnly if its plans look and
// do not change.
type ActionSpec = domain.ActionSpec

// Actors says who does what. Each is the free-form name of an actor: Strategy and
// Execution are required; Estimation, Review, Apply and Invariant are optional.
type Actors = domain.Actors

// Action is a snapshot of one action: a template from which plans are made.
// All but its state and its use count is fixed when it is created.
//
// Name is its key. Description, DefinitionOfDone, Actors, Reusable and ReadOnly are
// those of its [ActionSpec]; so are Arguments, by position, which counts from 1.
// State says whether it can be used, Uses how many plans were made from it. CreatedAt
// and UpdatedAt, of the last use or of its archiving, are in UTC, to the microsecond.
type Action = domain.Action

// UseOptions says what is to become of an action that is used. The zero value
// makes a root plan with the action's own name and no arguments.
//
// Name is the plan's, see [ParseName], and Description too; empty for the action's.
// ParentID is the plan that makes this one; empty for a root. Profile is the
// automation profile, fixed from then on. Arguments are values by the name of the
// argument. Projects is what the plan works on.
type UseOptions = domain.UseOptions
