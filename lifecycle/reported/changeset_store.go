package reported

import (
	"fmt"
	"slices"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// ChangesetStore stands for the store that #7120's execution context writes to. The report is about the context: the
// store is correct, and safe for concurrent use. Every method is atomic, under one mutex.
type ChangesetStore struct {
	newID func() string

	mu         sync.Mutex
	changesets []lifecycle.Changeset // oldest first; written and read under mu
}

// NewChangesetStore returns an empty store that takes its identifiers from newID.
func NewChangesetStore(newID func() string) *ChangesetStore { return &ChangesetStore{newID: newID} }

// Start adds an empty changeset for a plan and returns its identifier. From here on List shows it.
func (s *ChangesetStore) Start(planID string) string {
	id := s.newID()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changesets = append(s.changesets, lifecycle.Changeset{ID: id, PlanID: planID})
	return id
}

// Record appends an entry to a changeset. The error for one that does not exist matches [lifecycle.ErrNotFound].
func (s *ChangesetStore) Record(changesetID string, entry lifecycle.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.changesets {
		if s.changesets[i].ID == changesetID {
			s.changesets[i].Entries = append(s.changesets[i].Entries, entry)
			return nil
		}
	}
	return fmt.Errorf("record %s: %w", entry.Path, &lifecycle.NotFoundError{Kind: lifecycle.KindChangeset, ID: changesetID})
}

// List returns copies of the changesets of a plan, oldest first.
func (s *ChangesetStore) List(planID string) []lifecycle.Changeset {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []lifecycle.Changeset
	for _, c := range s.changesets {
		if c.PlanID == planID {
			c.Entries = slices.Clone(c.Entries)
			list = append(list, c)
		}
	}
	return list
}
