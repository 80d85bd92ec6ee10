package fuzz_test

import (
	"context"
	"slices"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// A recorder is what R4 and N7 have in common: changesets of one plan that are started, recorded into and listed. What is recorded is
// in the one that was started last, for all who list.
type recorder interface {
	Start(ctx context.Context) (string, error)
	Record(ctx context.Context, path string) error
	List(ctx context.Context) ([]lifecycle.Changeset, error)
}

func playChangesets(t *explore.T, subject races.Subject) play {
	s := subject.(races.Changesets)
	return playRecording(t, s.First(), s, s, s)
}

func playRecorders(t *explore.T, subject races.Subject) play {
	s := subject.(races.Recorders)
	return playRecording(t, "", s.A(), s.B())
}

// A filled is a changeset with its changes: those of which operations, as a set.
type filled struct {
	by      int // the operation that has started it
	changes uint64
}

// A recording is a call on changesets.
type recording struct {
	call string
	by   int
	of   int // the task
}

// A listing is what a call on changesets returned: of the model, with the operations that made the changesets.
type listing struct {
	failed string
	sets   []filled
	got    []lifecycle.Changeset
}

func playRecording(t *explore.T, first string, tasks ...recorder) play {
	started := make([]string, mostOperations+1) // by operation; the last is the one that was there from the start
	started[mostOperations] = first
	h := explore.NewHistory(t, explore.Model[[]filled, recording, listing]{
		Init: func() []filled {
			if first == "" {
				return nil
			}
			return []filled{{by: mostOperations}}
		},
		Step: func(all []filled, in recording) ([]filled, listing) {
			switch {
			case in.call == "start":
				return append(slices.Clone(all), filled{by: in.by}), listing{}
			case in.call == "list":
				return all, listing{sets: all}
			case len(all) == 0:
				return all, listing{failed: "no active changeset"}
			}
			all = slices.Clone(all)
			all[len(all)-1].changes |= 1 << in.by
			return all, listing{}
		},
		Agree: func(want, got listing) bool {
			return want.failed == got.failed && slices.Equal(want.sets, filledOf(started, got.got))
		},
	})
	apply := func(in recording) (out listing) {
		var err error
		switch s := tasks[in.of]; in.call {
		case "start":
			started[in.by], err = s.Start(t.Context())
		case "record":
			err = s.Record(t.Context(), pathNames()[in.by])
		case "list":
			out.got, err = s.List(t.Context())
		}
		out.failed = inAWord(err)
		return out
	}
	do := func(call string) func(step) {
		return func(by step) { h.Do(recording{call: call, by: by.n, of: by.task}, apply) }
	}
	return play{len(tasks), []func(step){do("start"), do("record"), do("list")}, func() {
		h.Do(recording{call: "list"}, apply)
		h.Check()
	}}
}

// filledOf puts the operations that started changesets for their identifiers. What nobody was told of has a number that none has.
func filledOf(started []string, list []lifecycle.Changeset) []filled {
	var all []filled
	for _, c := range list {
		var paths []string
		for _, e := range c.Entries {
			paths = append(paths, e.Path)
		}
		all = append(all, filled{slices.Index(started, c.ID), slotsOf(pathNames(), paths)})
	}
	return all
}
