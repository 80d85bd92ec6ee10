package model

import (
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// StartChangeset returns the error of starting a changeset of a plan.
func (m *Model) StartChangeset(planID string) error {
	p, err := m.GetPlan(planID)
	if err == nil && p.State.Terminal() {
		err = lifecycle.ErrFinished
	}
	return err
}

// AddChangeset opens a changeset, and closes the one before.
func (m *Model) AddChangeset(planID, id string, now time.Time) {
	if open := m.open(planID); open != nil {
		open.FinishedAt = stored(now)
	}
	m.changesets[planID] = append(m.changesets[planID], lifecycle.Changeset{ID: id, PlanID: planID, StartedAt: stored(now)})
	p := m.plans[planID]
	p.ChangesetID = id
	m.plans[planID] = p
}

// open returns the changeset that is open, or nil.
func (m *Model) open(planID string) *lifecycle.Changeset {
	all := m.changesets[planID]
	if len(all) == 0 || !all[len(all)-1].Open() {
		return nil
	}
	return &all[len(all)-1]
}

// RecordChange adds an entry to the open changeset and returns its identifier.
func (m *Model) RecordChange(planID string, e lifecycle.Entry, now time.Time) (string, error) {
	if !recordable(e) {
		return "", lifecycle.ErrInvalid
	}
	if err := m.StartChangeset(planID); err != nil {
		return "", err // recording fails for the same reasons
	}
	open := m.open(planID)
	if open == nil {
		return "", lifecycle.ErrNoActiveChangeset
	}
	if e.At.IsZero() {
		e.At = now
	}
	e.At = stored(e.At)
	open.Entries = append(open.Entries, e)
	return open.ID, nil
}

// recordable reports whether an entry is valid.
func recordable(e lifecycle.Entry) bool {
	switch e.Operation {
	case lifecycle.OperationCreate:
		if e.BeforeHash != "" {
			return false
		}
	case lifecycle.OperationDelete:
		if e.AfterHash != "" {
			return false
		}
	case lifecycle.OperationModify, lifecycle.OperationMove:
	default:
		return false
	}
	moved := e.MovedFrom == "" || e.Operation == lifecycle.OperationMove
	return moved && e.Path != "" && allStorable(e.Path, e.MovedFrom, e.BeforeHash, e.AfterHash)
}

// FinishChangeset closes a changeset.
func (m *Model) FinishChangeset(planID, id string, now time.Time) error {
	all := m.changesets[planID]
	i := slices.IndexFunc(all, func(c lifecycle.Changeset) bool { return c.ID == id })
	switch {
	case i < 0:
		return lifecycle.ErrNotFound
	case all[i].Open():
		all[i].FinishedAt = stored(now)
	}
	return nil
}

// Changesets returns the changesets of a plan, oldest first.
func (m *Model) Changesets(planID string) ([]lifecycle.Changeset, error) {
	if _, err := m.GetPlan(planID); err != nil {
		return nil, err
	}
	return m.changesets[planID], nil
}
