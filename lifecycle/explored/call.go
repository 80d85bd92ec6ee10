package explored

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// An Operation is what a call does.
type Operation string

// The operations. Those without a comment are the methods of the service by that name.
const (
	CreateAction   Operation = "create action"
	ArchiveAction  Operation = "archive action"
	DeleteAction   Operation = "delete action"
	GetAction      Operation = "get action"
	ListActions    Operation = "list actions"
	UseAction      Operation = "use action"
	GetPlan        Operation = "get plan"
	ArchivePlan    Operation = "archive plan"
	DeletePlan     Operation = "delete plan"
	ListPlans      Operation = "list plans"
	Transition     Operation = "transition"
	StartChangeset Operation = "start changeset"
	RecordChange   Operation = "record change"
	Finish         Operation = "finish changeset"
	Changesets     Operation = "list changesets"
	Commit         Operation = "commit"    // a unit of work that records a change, archives an action and commits
	RollBack       Operation = "roll back" // the same, rolled back in the end
	Close          Operation = "close"
)

// A Call is one call on a service. What it makes, and what it is told, is written into it by the goroutine that makes the call, so a
// Call is for one execution.
type Call struct {
	Operation Operation
	Service   int               // on which of the services
	Action    string            // the name of an action
	Plan      *Ref              // nil where none is meant; the parent of the plan that a use makes
	Changeset *Ref              // the one to be finished
	Command   lifecycle.Command // of a transition
	IfVersion int64             // of a transition
	Path      string            // of a change; the description of an action
	Makes     *Ref              // the plan or the changeset that is made

	lost bool // the transition lost to another one
}

// A Ref names a plan or a changeset, whose identifier is known when it has been made. The thread that makes one, and those that begin
// afterwards, may refer to it.
type Ref struct {
	Slot string // what the model takes for the identifier
	id   string // the service's
}

// unmade is the identifier of what was to be made and was not.
const unmade = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

// real is the service's identifier.
func (r *Ref) real() string {
	if r.id == "" {
		return unmade
	}
	return r.id
}

// String shows the call with its arguments.
func (c *Call) String() string {
	var args []string
	if c.Action != "" {
		args = append(args, c.Action)
	}
	if c.Plan != nil {
		args = append(args, c.Plan.Slot)
	}
	if c.Changeset != nil {
		args = append(args, c.Changeset.Slot)
	}
	if c.Command != "" {
		args = append(args, string(c.Command))
	}
	if c.IfVersion != 0 {
		args = append(args, fmt.Sprintf("if version %d", c.IfVersion))
	}
	if c.Path != "" {
		args = append(args, c.Path)
	}
	if c.Service > 0 {
		args = append(args, fmt.Sprintf("on service %d", c.Service+1))
	}
	return fmt.Sprintf("%s(%s)", c.Operation, strings.Join(args, ", "))
}

// An Answer is what a call returned, or what the model says that it must return. Values have the identifiers of whoever returned them.
type Answer struct {
	Actions    []lifecycle.Action
	Plans      []lifecycle.Plan
	Changesets []lifecycle.Changeset
	Made       string // the identifier of what was made, or of the changeset that a change was recorded in
	Err        error

	at      lifecycle.Position // of the model: where the plan of a transition is, if it may not go on, or be archived
	version int64              // and its version
}

// String shows the answer in short.
func (a Answer) String() string {
	if a.Err != nil {
		return a.Err.Error()
	}
	var words []string
	for _, action := range a.Actions {
		words = append(words, fmt.Sprintf("%s %s used %d", action.Name, action.State, action.Uses))
	}
	for _, p := range a.Plans {
		words = append(words, fmt.Sprintf("%s %s v%d", short(p.ID), p.Position(), p.Version))
	}
	for _, c := range a.Changesets {
		words = append(words, fmt.Sprintf("%s open %t, %d changes", short(c.ID), c.Open(), len(c.Entries)))
	}
	if a.Made != "" {
		words = append(words, short(a.Made))
	}
	if len(words) == 0 {
		return "ok"
	}
	return strings.Join(words, "; ")
}

// short is the end of an identifier, by which those of one time differ.
func short(id string) string { return id[max(0, len(id)-6):] }
