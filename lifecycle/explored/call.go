package explored

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// An Operation is what a call does.
type Operation string

// The operations. Those without a comment are the service's methods of that name.
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

// A Call is one call on a service. The goroutine that makes the call stores results in it, so a Call is for one execution
// only.
type Call struct {
	Operation Operation
	Service   int               // index of the service
	Action    string            // the name of an action
	Plan      *Ref              // the plan, or the parent of the plan that a use makes; nil for none
	Changeset *Ref              // the changeset to finish
	Command   lifecycle.Command // of a transition
	IfVersion int64             // of a transition
	Path      string            // of a change; or the description of an action
	Makes     *Ref              // the plan or changeset that the call creates

	lost bool // the transition lost to a concurrent one
}

// A Ref names a plan or a changeset, whose identifier is known only once it has been created. Only the thread that
// creates it, and threads that start afterwards, may refer to it.
type Ref struct {
	Slot string // the model's identifier
	id   string // the service's identifier
}

// unmade is the identifier of an object whose creation failed.
const unmade = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

// real returns the service's identifier.
func (r *Ref) real() string {
	if r.id == "" {
		return unmade
	}
	return r.id
}

// String formats the call with its arguments.
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

// An Answer is the result of a call, by the service or by the model, with the identifiers of that side.
type Answer struct {
	Actions    []lifecycle.Action
	Plans      []lifecycle.Plan
	Changesets []lifecycle.Changeset
	Made       string // the identifier of the created object, or of the changeset that a change was recorded in
	Err        error

	at      lifecycle.Position // of the model: the plan's position before the call, for errors that name it
	version int64              // and its version
}

// String formats the answer in short.
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

// short returns the end of an identifier, where identifiers of the same time differ.
func short(id string) string { return id[max(0, len(id)-6):] }
