package passing

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/jacquard-go/jacquard/stress/soak/lines"
)

// Kind is a kind of call.
type Kind string

// The kinds of call.
const (
	CreateAction Kind = "create action"
	DeleteAction Kind = "delete action"
	Make         Kind = "make" // a plan, from an action
	Get          Kind = "get"
	List         Kind = "list"
	Start        Kind = "start changeset"
	Record       Kind = "record"
	Changes      Kind = "changes"
	Cancel       Kind = "cancel"
	PutAway      Kind = "put away"
	Delete       Kind = "delete"
)

// Outcome is how a call ended.
type Outcome string

// The outcomes. A pending operation may have taken effect, may still do so, or may never do so.
const (
	Pending     Outcome = "" // its process was killed, or the commit's answer was lost
	OK          Outcome = "ok"
	NotFound    Outcome = "not found"
	Exists      Outcome = "exists"
	Referred    Outcome = "referred"
	Finished    Outcome = "finished"
	NotReady    Outcome = "not ready"
	Archived    Outcome = "archived"
	NoChangeset Outcome = "no changeset"
	Refused     Outcome = "refused" // by the state machine
	Nothing     Outcome = "nothing" // no effect: busy, unavailable, in conflict or too late
	Wrong       Outcome = "wrong"   // an error that no contract allows
)

// Operation is a call with its result.
type Operation struct {
	Label   string  `json:"label"` // unique in the whole soak; what the call creates carries it
	Kind    Kind    `json:"kind"`
	Action  string  `json:"action,omitempty"`  // the subject, or the action of the plan
	Plan    string  `json:"plan,omitempty"`    // the subject, or the plan that was made
	Whole   bool    `json:"whole,omitempty"`   // of List: including archived plans
	From    int64   `json:"from"`              // when it was called
	To      int64   `json:"to,omitempty"`      // when it returned; Never if it is pending
	Outcome Outcome `json:"outcome,omitempty"` //
	Error   string  `json:"error,omitempty"`   // if the outcome is Wrong

	Version int64    `json:"version,omitempty"` // of the plan that was returned, as are the next two
	Ended   bool     `json:"ended,omitempty"`
	Away    bool     `json:"away,omitempty"`
	Plans   int      `json:"plans,omitempty"`   // the number that refer to the action, by the error
	Entries []string `json:"entries,omitempty"` // of Changes: the labels of the recording calls
	Listed  []Seen   `json:"listed,omitempty"`
}

// Seen is a plan in a listing.
type Seen struct {
	Plan   string `json:"plan"`
	Action string `json:"action"`
}

// Never is the return time of a pending operation.
const Never int64 = math.MaxInt64

// String describes an operation in one line.
func (o *Operation) String() string {
	return fmt.Sprintf("%d–%d %s: %s %s %s → %s %s version %d, ended %t, away %t, %d plans, %v %v",
		o.From, o.To, o.Label, o.Kind, o.Action, o.Plan, o.Outcome, o.Error, o.Version, o.Ended, o.Away, o.Plans, o.Entries, o.Listed)
}

func fileName(dir, life string) string { return filepath.Join(dir, "passing-"+life+".jsonl") }

// read returns the operations of all processes that recorded in a folder. A call without an outcome is pending.
func read(dir string) (all []*Operation, err error) {
	names, err := filepath.Glob(fileName(dir, "*"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		mine, err := readFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, mine...)
	}
	return all, nil
}

func readFile(name string) (all []*Operation, err error) {
	open := make(map[string]*Operation)
	err = lines.Read(name, func(o *Operation) error {
		if was := open[o.Label]; was != nil {
			*was = *o
			return nil
		}
		o.To = Never
		open[o.Label] = o
		all = append(all, o)
		return nil
	})
	return all, err
}
