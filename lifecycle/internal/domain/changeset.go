package domain

import (
	"slices"
	"time"
)

// Operation is what a change did to a path.
type Operation string

// The operations.
const (
	OperationCreate Operation = "create"
	OperationModify Operation = "modify"
	OperationDelete Operation = "delete"
	OperationMove   Operation = "move"
)

// Entry is one change that a plan made.
type Entry struct {
	Operation  Operation
	Path       string    // the path of the change; after a move the new path
	MovedFrom  string    // for a move: the old path; optional, and empty for other operations
	BeforeHash string    // of the content before; empty for a create
	AfterHash  string    // of the content after; empty for a delete
	At         time.Time // UTC, to the microsecond; zero means now, by the service's clock
}

// Changeset is a snapshot of one changeset of a plan.
//
// A plan has at most one open changeset, always its newest: starting one closes the one before it.
// Finishing closes it too.
type Changeset struct {
	ID         string // a ULID
	PlanID     string
	Entries    []Entry // in the order in which they were committed
	StartedAt  time.Time
	FinishedAt time.Time // zero while it is open
}

// Open reports whether changes are being recorded in c.
func (c Changeset) Open() bool { return c.FinishedAt.IsZero() }

// CheckEntry refuses a malformed entry.
func CheckEntry(e Entry) error {
	operations := []Operation{OperationCreate, OperationModify, OperationDelete, OperationMove}
	switch {
	case !slices.Contains(operations, e.Operation):
		return invalid("operation", string(e.Operation), "is unknown; want create, modify, delete or move")
	case e.Operation != OperationMove && e.MovedFrom != "":
		return invalid("moved from", e.MovedFrom, "means nothing to "+string(e.Operation))
	case e.Operation == OperationCreate && e.BeforeHash != "":
		return invalid("before hash", e.BeforeHash, "cannot be: there was nothing before a create")
	case e.Operation == OperationDelete && e.AfterHash != "":
		return invalid("after hash", e.AfterHash, "cannot be: there is nothing after a delete")
	}
	if err := CheckSize("change", e.size()); err != nil {
		return err
	}
	if err := CheckRequired("path", e.Path); err != nil {
		return err
	}
	return checkTexts(text{"moved from", e.MovedFrom}, text{"before hash", e.BeforeHash}, text{"after hash", e.AfterHash})
}
