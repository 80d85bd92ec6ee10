package soak

import (
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Kind is a kind of call.
type Kind string

// The kinds of call.
const (
	CreateAction    Kind = "create action"
	ArchiveAction   Kind = "archive action"
	GetAction       Kind = "get action"
	ListActions     Kind = "list actions"
	UseAction       Kind = "use action"
	GetPlan         Kind = "get plan"
	ListPlans       Kind = "list plans"
	MovePlan        Kind = "move plan" // any transition
	StartChangeset  Kind = "start changeset"
	RecordChange    Kind = "record change"
	ListChangesets  Kind = "list changesets"
	FinishChangeset Kind = "finish changeset"

	ClaimPlan   Kind = "claim plan"
	RenewClaim  Kind = "renew claim"
	EndClaim    Kind = "release claim"
	SubmitJob   Kind = "submit job"
	ClaimJob    Kind = "claim job"
	RenewJob    Kind = "renew job"
	SucceedJob  Kind = "succeed job"
	FailJob     Kind = "fail job"
	AcquireLock Kind = "acquire lock"
	RenewLock   Kind = "renew lock"
	ReleaseLock Kind = "release lock"

	MakeParent  Kind = "make parent" // of subplans
	RunSubplans Kind = "run subplans"
	DoSubplan   Kind = "do subplan"   // within RunSubplans: the work of one subplan
	MergeChange Kind = "merge change" // within RunSubplans: a change of a subplan becomes the parent's
)

// owns reports whether calls of this kind are about ownership, and change nothing else of a plan or an action.
func (k Kind) owns() bool {
	switch k {
	case ClaimPlan, RenewClaim, EndClaim, SubmitJob, ClaimJob, RenewJob, SucceedJob, FailJob, AcquireLock, RenewLock, ReleaseLock,
		MakeParent, RunSubplans, DoSubplan, MergeChange:
		return true
	}
	return false
}

// reads reports whether calls of this kind change nothing.
func (k Kind) reads() bool {
	switch k {
	case GetAction, ListActions, GetPlan, ListPlans, ListChangesets:
		return true
	}
	return false
}

// call is what a process records before it calls its service.
type call struct {
	Number    int64             `json:"n"`  // from 1 in each life of a process
	Goroutine int               `json:"g"`  // from 1
	At        int64             `json:"at"` // the time, by clock
	Kind      Kind              `json:"kind"`
	Recent    bool              `json:"recent,omitempty"`     // through Service.Recent
	Subject   string            `json:"subject,omitempty"`    // the action's or the lock's name, or the identifier of the plan or the job
	Fence     int64             `json:"fence,omitempty"`      // the fence of the claim, or number of the lock, under which the call is made
	Holder    string            `json:"holder,omitempty"`     // the label of the call that got that claim or lock
	Command   lifecycle.Command `json:"command,omitempty"`    // of MovePlan
	IfVersion int64             `json:"if_version,omitempty"` // of MovePlan; 0 is any
	Changeset string            `json:"changeset,omitempty"`  // of FinishChangeset
	Once      bool              `json:"once,omitempty"`       // of CreateAction: not reusable
	Lease     int64             `json:"lease,omitempty"`      // of ClaimPlan and RenewClaim, in nanoseconds; 0 is the usual one
	Change    string            `json:"change,omitempty"`     // of MergeChange: the label of the change of the subplan
	Hurried   int64             `json:"hurried,omitempty"`    // the context's time-out in nanoseconds, if it is a short one
}

// Outcome is how a call ended.
type Outcome string

// The outcomes. With those from Conflict on, nothing was changed.
const (
	OK Outcome = "ok"

	CutOff  Outcome = "cut off" // the process was killed: the call may have taken effect
	Unknown Outcome = "unknown" // the commit's answer did not arrive: the call may have taken effect

	Conflict          Outcome = "conflict"
	AlreadyExists     Outcome = "already exists"
	NotFound          Outcome = "not found"
	Archived          Outcome = "archived"
	InvalidTransition Outcome = "invalid transition"
	NotReady          Outcome = "not ready"
	ReversionLimit    Outcome = "reversion limit"
	NoChangeset       Outcome = "no changeset"
	Finished          Outcome = "finished"   // the plan is applied or cancelled
	Held              Outcome = "held"       // another caller has it, or the caller's claim or lock has ended
	Nothing           Outcome = "nothing"    // there is no job to do
	BrokenOff         Outcome = "broken off" // a run of subplans: something in it has failed

	GaveUp      Outcome = "gave up" // the context ended first
	Busy        Outcome = "busy"
	Unavailable Outcome = "unavailable"

	Wrong Outcome = "wrong" // an error that no contract allows
)

// pending reports whether a call with this outcome may have taken effect or not, or may still do so later.
func (o Outcome) pending() bool { return o == CutOff || o == Unknown }

// tellsNothing reports whether a call with this outcome says nothing about the state of a plan or an action.
func (o Outcome) tellsNothing() bool {
	return o == GaveUp || o == Busy || o == Unavailable || o == Wrong || o == Held
}

// answer is what a process records after its service has returned.
type answer struct {
	Number     int64           `json:"n"`
	At         int64           `json:"at"` // the time, by clock
	Outcome    Outcome         `json:"outcome"`
	Error      string          `json:"error,omitempty"`  // of Wrong
	ID         string          `json:"id,omitempty"`     // of a changeset or a job
	Fence      int64           `json:"fence,omitempty"`  // of what was got, or of the present owner's
	Holder     string          `json:"holder,omitempty"` // the label of the call that got that; empty if it was given back
	From       int64           `json:"from,omitempty"`   // when it began, by the database's clock in microseconds
	Until      int64           `json:"until,omitempty"`  // when it ends, by the same clock
	Found      string          `json:"found,omitempty"`  // the plan's position according to an error
	Version    int64           `json:"version,omitempty"`
	Held       int64           `json:"held,omitempty"` // the version that lost a conflict
	Uses       int64           `json:"uses,omitempty"`
	Plan       *planView       `json:"plan,omitempty"`
	Action     *actionView     `json:"action,omitempty"`
	Plans      []planView      `json:"plans,omitempty"`
	Actions    []actionView    `json:"actions,omitempty"`
	Changesets []changesetView `json:"changesets,omitempty"`
}

// planView has the fields of a plan that are compared.
type planView struct {
	ID         string `json:"id"`
	Label      string `json:"label"` // its description: the label of the call that made it
	Action     string `json:"action"`
	Version    int64  `json:"v"`
	At         string `json:"at"` // phase/state
	Attempt    int    `json:"attempt"`
	Reversions int    `json:"reversions,omitempty"`
	Message    string `json:"message,omitempty"` // the label of the call that made it fail
	Changeset  string `json:"changeset,omitempty"`
}

func viewPlan(p lifecycle.Plan) planView {
	return planView{
		ID: p.ID, Label: p.Description, Action: p.Action.String(), Version: p.Version, At: p.Position().String(),
		Attempt: p.Attempt, Reversions: len(p.Reversions), Message: p.ErrorMessage, Changeset: p.ChangesetID,
	}
}

// actionView has the fields of an action that are compared.
type actionView struct {
	Name     string `json:"name"`
	Label    string `json:"label"` // its description: the label of the call that created it
	Archived bool   `json:"archived,omitempty"`
	Once     bool   `json:"once,omitempty"`
	Uses     int64  `json:"uses"`
}

func viewAction(a lifecycle.Action) actionView {
	return actionView{
		Name: a.Name.String(), Label: a.Description, Archived: a.State == lifecycle.ActionArchived, Once: !a.Reusable, Uses: a.Uses,
	}
}

// changesetView has the fields of a changeset that are compared.
type changesetView struct {
	ID      string   `json:"id"`
	Open    bool     `json:"open,omitempty"`
	Entries []string `json:"entries"` // their paths: the labels of the calls that recorded them
}

func viewChangeset(c lifecycle.Changeset) changesetView {
	v := changesetView{ID: c.ID, Open: c.Open(), Entries: make([]string, len(c.Entries))}
	for i, e := range c.Entries {
		v.Entries[i] = e.Path
	}
	return v
}

// views returns the views of all elements.
func views[T, V any](all []T, view func(T) V) []V {
	list := make([]V, len(all))
	for i, x := range all {
		list[i] = view(x)
	}
	return list
}

// life identifies one run of a process, from its start to its end.
type life struct {
	Process int `json:"process"` // from 1
	Life    int `json:"life"`    // from 1
}

// String returns "process.life".
func (l life) String() string { return fmt.Sprintf("%d.%d", l.Process, l.Life) }

// label names a call uniquely within the soak. Everything that a call creates carries its label.
func (l life) label(number int64) string { return fmt.Sprintf("%s.%d", l, number) }
