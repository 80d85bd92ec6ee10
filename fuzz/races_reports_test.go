package fuzz_test

import (
	"context"
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// What programs can do to the subjects of R1 to R7, and what must hold. No model calls the code under test: each restates the
// sentences of its row in the catalogue.

func playEngines(t *explore.T, subject races.Subject) play {
	s := subject.(races.Engines)
	var got [mostOperations]races.Engine
	ask := func(ask func(context.Context) (races.Engine, error)) func(step) {
		return func(by step) {
			engine, err := ask(t.Context())
			if got[by.n] = engine; err != nil {
				t.Errorf("got error %v, want an engine", err)
			}
		}
	}
	return play{3, []func(step){ask(s.ForUnitOfWork), ask(s.ForMigrations)}, func() {
		all := slices.DeleteFunc(got[:], func(e races.Engine) bool { return e == nil })
		for _, e := range all {
			if e != all[0] || s.Created() != 1 {
				t.Fatalf("got engine #%d and engine #%d for one URL, and %d were made, want 1", all[0].Number(), e.Number(), s.Created())
			}
		}
	}}
}

// A request is a call on actions or on plans. Equal requests are the same call.
type request struct {
	call string // the method
	name string
	n    int // of the operation; it stands for what that creates
}

// An answer is the result of a call.
type answer struct {
	text   string   // the value that was asked for
	failed string   // a word for the error
	ids    []string // a listing
	id     string   // of what was created
	slots  uint64   // of the model: a listing as the set of operations that created its items
}

func playActions(t *explore.T, subject races.Subject) play {
	s := subject.(races.Actions)
	h := explore.NewHistory(t, explore.Model[map[string]string, request, answer]{
		Partition: func(in request) string { return in.name },
		Step: func(made map[string]string, in request) (map[string]string, answer) {
			was, taken := made[in.name]
			switch {
			case in.call == "describe" && !taken:
				return made, answer{failed: "not found"}
			case in.call == "describe":
				return made, answer{text: was}
			case taken:
				return made, answer{failed: "already exists"}
			}
			return map[string]string{in.name: describe(in.n)}, answer{}
		},
	})
	apply := func(in request) answer {
		if in.call == "describe" {
			text, err := s.Description(t.Context(), in.name)
			return answer{text: text, failed: inAWord(err)}
		}
		return answer{failed: inAWord(s.Create(t.Context(), lifecycle.ActionSpec{
			Name: in.name, Description: describe(in.n), DefinitionOfDone: "it is done", Reusable: true,
			Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		}))}
	}
	do := func(call string) func(step) {
		return func(by step) { h.Do(request{call, []string{"local/review", "local/paint"}[by.arg%2], by.n}, apply) }
	}
	return play{3, []func(step){do("create"), do("describe")}, h.Check}
}

func describe(n int) string { return "of operation " + string(rune('A'+n)) }

// inAWord classifies errors.
func inAWord(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, lifecycle.ErrAlreadyExists):
		return "already exists"
	case errors.Is(err, lifecycle.ErrNotFound):
		return "not found"
	case errors.Is(err, lifecycle.ErrNoActiveChangeset):
		return "no active changeset"
	}
	return err.Error()
}

func playPlans(t *explore.T, subject races.Subject) play {
	s := subject.(races.Plans)
	made := make([]string, mostOperations+1) // by operation; the last one is the plan that existed at the start
	made[mostOperations] = s.First()
	h := explore.NewHistory(t, explore.Model[uint64, request, answer]{
		Init: func() uint64 { return 1 << mostOperations },
		Step: func(all uint64, in request) (uint64, answer) {
			if in.call == "use" {
				return all | 1<<in.n, answer{}
			}
			return all, answer{slots: all}
		},
		Agree: func(want, got answer) bool {
			slots := slotsOf(made, got.ids)
			return got.failed == "" && (want.slots == 0 || slots == want.slots)
		},
	})
	apply := func(in request) answer {
		if in.call == "use" {
			id, err := s.Use(t.Context())
			made[in.n] = id
			return answer{failed: inAWord(err), id: id}
		}
		ids, err := s.List(t.Context())
		return answer{ids: ids, failed: inAWord(err)}
	}
	var last [3]string // by task, the last plan that it created
	get := func(by step) {
		id := last[by.task]
		if id == "" {
			id = s.First()
		}
		if err := s.Get(t.Context(), id); err != nil {
			t.Errorf("get plan %s, which use returned: got error %v, want none", id, err)
		}
	}
	use := func(by step) { last[by.task] = h.Do(request{call: "use", n: by.n}, apply).id }
	list := func(step) { h.Do(request{call: "list"}, apply) }
	return play{3, []func(step){use, list, get}, func() {
		h.Do(request{call: "list"}, apply)
		h.Check()
	}}
}

// slotsOf returns a listing as a set of operations. An unknown or repeated item sets a bit of no operation.
func slotsOf(made, ids []string) (slots uint64) {
	for _, id := range ids {
		i := slices.Index(made, id)
		if i < 0 || slots&(1<<i) != 0 {
			return 1 << 63
		}
		slots |= 1 << i
	}
	return slots
}

func playEmptying(t *explore.T, subject races.Subject) play {
	s := subject.(races.Changesets)
	type state struct {
		finished bool
		recorded uint64
	}
	h := explore.NewHistory(t, explore.Model[state, request, answer]{
		Step: func(now state, in request) (state, answer) {
			switch {
			case in.call == "finish":
				return state{true, now.recorded}, answer{}
			case in.call == "list":
				return now, answer{slots: now.recorded}
			case now.finished:
				return now, answer{failed: "no active changeset"}
			}
			now.recorded |= 1 << in.n
			return now, answer{}
		},
		Agree: func(want, got answer) bool { return want.failed == got.failed && want.slots == got.slots },
	})
	apply := func(in request) answer {
		switch in.call {
		case "record":
			return answer{failed: inAWord(s.Record(t.Context(), in.name))}
		case "list":
			var paths []string
			all, err := s.List(t.Context())
			for _, c := range all {
				for _, e := range c.Entries {
					paths = append(paths, e.Path)
				}
			}
			return answer{slots: slotsOf(pathNames(), paths), failed: inAWord(err)}
		}
		_ = s.Finish(t.Context(), s.First()) // the reports do not say what a second finish returns
		return answer{}
	}
	record := func(by step) { h.Do(request{"record", pathNames()[by.n], by.n}, apply) }
	finish := func(step) { h.Do(request{call: "finish"}, apply) }
	return play{3, []func(step){record, finish}, func() {
		h.Do(request{call: "list"}, apply)
		h.Check()
	}}
}

// pathNames are the paths that operations change, by number.
func pathNames() []string {
	names := make([]string, mostOperations)
	for i := range names {
		names[i] = "loom/" + string(rune('a'+i)) + ".go"
	}
	return names
}

func playReads(t *explore.T, subject races.Subject) play {
	s := subject.(races.Shared)
	started := false
	h := explore.NewHistory(t, explore.Model[string, request, answer]{
		Init: func() string { return "strategize/queued" },
		Step: func(at string, in request) (string, answer) {
			if in.call == "start" {
				return "strategize/processing", answer{}
			}
			return at, answer{text: at}
		},
	})
	apply := func(in request) answer {
		if in.call == "start" {
			return answer{failed: inAWord(s.A().Start(t.Context()))}
		}
		at, err := s.B().Position(t.Context())
		return answer{text: at.String(), failed: inAWord(err)}
	}
	// Instance A moves the plan, once, and instance B reads. One goroutine uses each instance.
	move := func(by step) {
		if by.task == 0 && !started {
			started = true
			h.Do(request{call: "start"}, apply)
		}
	}
	read := func(by step) {
		if by.task == 1 {
			h.Do(request{call: "read"}, apply)
		}
	}
	return play{2, []func(step){move, read}, func() {
		h.Do(request{call: "read"}, apply)
		h.Check()
	}}
}

func playApplies(t *explore.T, subject races.Subject) play {
	s := subject.(races.Shared)
	instances := []races.Instance{s.A(), s.B()}
	var tried, applied [mostOperations]bool
	apply := func(by step) {
		err := instances[by.task].Apply(t.Context())
		tried[by.n], applied[by.n] = true, err == nil
		t.Logf("apply: %v", err)
	}
	read := func(by step) {
		if _, err := instances[by.task].Position(t.Context()); err != nil {
			t.Errorf("read: got error %v, want none", err)
		}
	}
	return play{2, []func(step){apply, read}, func() {
		calls, won := count(tried), count(applied)
		moves, err := s.Moves(t.Context())
		if err != nil || won != min(calls, 1) || moves != won {
			t.Errorf("got %d of %d calls that applied the plan, want 1; moves in the database: %d, %v", won, calls, moves, err)
		}
	}}
}

func count(which [mostOperations]bool) (n int) {
	for _, yes := range which {
		if yes {
			n++
		}
	}
	return n
}
