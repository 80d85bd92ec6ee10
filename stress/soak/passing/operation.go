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

// The outcomes. An operation that is pending has happened since it was called, or may yet happen, or never will.
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
	Nothing     Outcome = "nothing" // it was not come to: busy, unavailable, too late
	Wrong       Outcome = "wrong"   // an error that no contract allows
)

// Operation is a call, with what came of it.
type Operation struct {
	Label   string  `json:"label"` // of the call, in the whole soak; what it creates carries it
	Kind    Kind    `json:"kind"`
	Action  string  `json:"action,omitempty"`  // the subject, or what the plan was made from
	Plan    string  `json:"plan,omitempty"`    // the subject, or what was made
	Whole   bool    `json:"whole,omitempty"`   // of List: archived plans too
	From    int64   `json:"from"`              // when it was called
	To      int64   `json:"to,omitempty"`      // when it returned; Never if it is pending
	Outcome Outcome `json:"outcome,omitempty"` //
	Error   string  `json:"error,omitempty"`   // if it is wrong

	Version int64    `json:"version,omitempty"` // of the plan that came back, and so are the next
	Ended   bool     `json:"ended,omitempty"`
	Away    bool     `json:"away,omitempty"`
	Plans   int      `json:"plans,omitempty"`   // that the error says to refer to the action
	Entries []string `json:"entries,omitempty"` // of Changes: the labels of those who recorded them
	Listed  []Seen   `json:"listed,omitempty"`
}

// Seen is a plan in a listing.
type Seen struct {
	Plan   string `json:"plan"`
	Action string `json:"action"`
}

// Never is when an operation returns that is pending.
const Never int64 = math.MaxInt64

// String is an operation in one line.
func (o *Operation) String() string {
	return fmt.Sprintf("%d–%d %s: %s %s %s → %s %s version %d, ended %t, away %t, %d plans, %v %v",
		o.From, o.To, o.Label, o.Kind, o.Action, o.Plan, o.Outcome, o.Error, o.Version, o.Ended, o.Away, o.Plans, o.Entries, o.Listed)
}

func fileName(dir, life string) string { return filepath.Join(dir, "passing-"+life+".jsonl") }

// read returns the operations of all processes that have had a folder. One without a second line is pending.
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
