package races

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknown marks an identifier that is not in the catalogue.
var ErrUnknown = errors.New("unknown race")

// All returns the catalogue: R1 to R7, then the related races N1 to N10. Each call returns a new slice.
func All() []Race {
	return []Race{
		enginesRace(), actionsRace(), plansRace(), staleChangesetRace(), emptyChangesetsRace(), staleReadRace(), doubleApplyRace(),
		migrationsRace(), failedCommitRace(), claimsRace(), locksRace(), jobsRace(), errorDetailsRace(), changesetPlanRace(),
		lockedFileRace(), failFastRace(), leasesRace(),
	}
}

// Find returns the cell with an identifier such as "R4/suggested", and its race. It ignores case. The error for an
// unknown identifier matches [ErrUnknown] and lists the known ones.
func Find(id string) (Race, Cell, error) {
	var known []string
	for _, race := range All() {
		for _, cell := range race.Cells {
			if strings.EqualFold(cell.ID, id) {
				return race, cell, nil
			}
			known = append(known, cell.ID)
		}
	}
	return Race{}, Cell{}, fmt.Errorf("%w: got %q, want one of %s", ErrUnknown, id, strings.Join(known, ", "))
}

// A subject is one column of a race: the wanted verdict, and how the implementation under test is opened.
type subject[S Subject] struct {
	column Column
	want   Want
	kind   Kind
	why    string
	open   func(T) (S, error)
}

// race completes r with one cell for each subject, all with the same body.
func race[S Subject](r Race, body func(T, S) error, subjects ...subject[S]) Race {
	for _, s := range subjects {
		r.Cells = append(r.Cells, Cell{
			ID:     r.ID + "/" + string(s.column),
			Column: s.column,
			Want:   s.want,
			Kind:   s.kind,
			Why:    s.why,
			Open:   func(t T) (Subject, error) { return s.open(t) },
			Body:   run(s.open, body),
		})
	}
	return r
}

// run opens a subject, runs body against it and closes it.
func run[S Subject](open func(T) (S, error), body func(T, S) error) Body {
	return func(t T) (err error) {
		s, err := open(t)
		if err != nil {
			return fmt.Errorf("set-up: %w", err)
		}
		defer func() {
			if failed := s.Close(); failed != nil {
				err = errors.Join(err, fmt.Errorf("close: %w", failed))
			}
		}()
		return body(t, s)
	}
}
