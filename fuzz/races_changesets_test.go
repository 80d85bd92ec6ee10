package fuzz_test

import (
	"context"
	"slices"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// A recorder is what the subjects of R4 and N7 share: a plan's changesets are started, recorded into and listed. A change belongs to
// the changeset that was started last, as every listing shows.
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

// A filled is a changeset with the set of operations that recorded its changes.
type filled struct {
	by      int // the operation that started it
	changes uint64
}

// A recording is a call on changesets.
type recording struct {
	call string
	by   int
	of   int // the task that makes it
}

// A listing is the result of a call on changesets. The model's has the operations that made them.
type listing struct {
	failed string
	sets   []filled
	got    []lifecycle.Changeset
}

func playRecording(t *explore.T, first string, tasks ...recorder) play {
	started := make([]string, mostOperations+1) // by operation; the last one existed at the start
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

// filledOf replaces the identifiers of changesets by the operations that started them, or by -1 for an unknown one.
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
