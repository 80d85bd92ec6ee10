package asreported

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

// PersistedChangesets is the store of #7731: the changes of a changeset are in a table, and which plan the changeset belongs to is in
// a dictionary of this instance. One instance is for one goroutine at a time, as the report is about several instances.
type PersistedChangesets struct {
	newID   func() string
	table   *reported.ChangeTable
	started []string          // the changesets that this instance has started, oldest first
	planOf  map[string]string // by changeset
}

// NewPersistedChangesets returns a store over table that takes its identifiers from newID. It does not close the table.
func NewPersistedChangesets(table *reported.ChangeTable, newID func() string) *PersistedChangesets {
	return &PersistedChangesets{newID: newID, table: table, planOf: make(map[string]string)}
}

// Start starts a changeset of a plan and returns its identifier.
func (s *PersistedChangesets) Start(planID string) string {
	id := s.newID()
	s.planOf[id] = planID
	s.started = append(s.started, id)
	return id
}

// Record adds a change to the newest changeset of a plan.
func (s *PersistedChangesets) Record(ctx context.Context, planID string, entry lifecycle.Entry) error {
	for _, id := range slices.Backward(s.started) {
		if s.planOf[id] == planID {
			return s.table.Insert(ctx, id, entry)
		}
	}
	return fmt.Errorf("record %s: %w", entry.Path, lifecycle.ErrNoActiveChangeset)
}

// List returns the changesets of a plan, oldest first.
func (s *PersistedChangesets) List(ctx context.Context, planID string) ([]lifecycle.Changeset, error) {
	var all []lifecycle.Changeset
	for _, id := range s.started {
		if s.planOf[id] != planID {
			continue
		}
		entries, err := s.table.List(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, lifecycle.Changeset{ID: id, PlanID: planID, Entries: entries})
	}
	return all, nil
}
