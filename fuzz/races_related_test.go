package fuzz_test

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/races"
)

// What programs can do to the subjects of N1, N2, N3 and N8, and what must hold. N7 is in races_changesets_test.go, N6 and N9
// are in races_subplans_test.go, N4, N5 and N10 in races_leases_test.go. If there are two instances, each task has its own.

func playMigrations(t *explore.T, subject races.Subject) play {
	s := subject.(races.Migrations)
	units := []races.Migrator{s.A(), s.B()}
	var migrated atomic.Int64
	migrate := func(by step) {
		migrated.Add(1)
		if err := units[by.task].Migrate(t.Context()); err != nil {
			t.Errorf("got error %v, want none: the migrations run once", err)
		}
	}
	return play{2, []func(step){migrate}, func() {
		if migrated.Load() == 0 {
			return
		}
		if n, err := s.Migrated(t.Context()); err != nil || n != 1 {
			t.Errorf("the migrations ran %d times on one engine, %v; want 1", n, err)
		}
	}}
}

func playRefusals(t *explore.T, subject races.Subject) play {
	s := subject.(races.Refused)
	move := func(step) {
		if err := s.Start(t.Context()); err == nil {
			t.Inconclusive("the database was to refuse the commit, and the plan was moved")
		}
	}
	get := func(step) {
		if at, err := s.Position(t.Context()); err != nil || at.String() != "strategize/queued" {
			t.Errorf("got the plan at %s, %v without a commit; want strategize/queued", at, err)
		}
	}
	list := func(step) {
		if at, err := s.Listed(t.Context()); err != nil || at.String() != "strategize/queued" {
			t.Errorf("got the plan listed at %s, %v without a commit; want strategize/queued", at, err)
		}
	}
	return play{2, []func(step){move, get, list}, func() { list(step{}); get(step{}) }}
}

// playWork lets workers execute the one plan, successfully or not, and queue it again. In every order one worker works at a time,
// the work is done at most once for each time the plan was queued, and not again after it succeeded.
func playWork(t *explore.T, subject races.Subject) play {
	s := subject.(races.Workers)
	workers := []races.Worker{s.A(), s.B()}
	var working, works, done, resumed atomic.Int64
	errJammed := errors.New("the loom is jammed")
	execute := func(outcome error) func(step) {
		return func(by step) {
			worked := false
			err := workers[by.task].Execute(t.Context(), func() error {
				worked = true
				works.Add(1)
				if working.Add(1) > 1 {
					t.Errorf("got two workers on one plan at the same time, want one")
				}
				if done.Load() > 0 {
					t.Errorf("got work on a plan whose work was done, want none")
				}
				working.Add(-1)
				return outcome
			})
			if worked && outcome == nil {
				done.Add(1)
			}
			if worked != (err == nil) {
				t.Errorf("got worked %t, error %v; want an error exactly if it did not work", worked, err)
			}
		}
	}
	resume := func(by step) {
		if workers[by.task].Resume(t.Context()) == nil {
			resumed.Add(1)
		}
	}
	return play{2, []func(step){execute(nil), execute(errJammed), resume}, func() {
		if works.Load() > 1+resumed.Load() {
			t.Errorf("got %d runs of the work, want at most one more than the %d times it was queued again", works.Load(), resumed.Load())
		}
	}}
}

// playFiles counts and inserts rows. The model is a plain counter.
func playFiles(t *explore.T, subject races.Subject) play {
	s := subject.(races.Files)
	files := []races.File{s.A(), s.B()}
	h := explore.NewHistory(t, explore.Model[int, request, answer]{
		Step: func(n int, in request) (int, answer) {
			if in.call == "insert" {
				return n + 1, answer{}
			}
			return n, answer{text: fmt.Sprint(n)}
		},
	})
	apply := func(in request) answer {
		if in.call == "insert" {
			return answer{failed: inAWord(files[in.n].Insert(t.Context()))}
		}
		n, err := files[in.n].Count(t.Context())
		return answer{text: fmt.Sprint(n), failed: inAWord(err)}
	}
	do := func(call string) func(step) {
		return func(by step) { h.Do(request{call: call, n: by.task}, apply) }
	}
	return play{2, []func(step){do("insert"), do("count")}, func() {
		h.Do(request{call: "count"}, apply)
		h.Check()
	}}
}
