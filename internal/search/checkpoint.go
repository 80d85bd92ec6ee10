package search

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage/collect"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/racelog"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// mostCheckpoint bounds a checkpoint, in bytes. An exploration whose checkpoint would be
// larger gets none, and begins anew.
const mostCheckpoint = 8 << 20

// A checkpoint is the state of an exploration from which another process of the
// program can resume: that process then runs the executions that this one would have
// run.
type checkpoint struct {
	Program uint32
	Config  uint64
	Name    string
	Course  uint64 // of the default schedule

	At     stageProgress
	Firsts openings

	Result    verdict.Result // the result so far, without the races
	Noted     []racelog.Race
	Memory    []int64
	Observers engine.Observers
	Met       metSoFar
	Used      []string
	Hidden    []string
	Outside   string
	Notes     control.Notes
	Covered   collect.Covered
}

// metSoFar is a met in the form that checkpoints store.
type metSoFar struct {
	Seen    []uint64
	Samples novelty
}

// A stageProgress is the position of an exploration in its plan.
type stageProgress struct {
	Stage      int                 // index in the plan
	End        int                 // the number of schedules at which the stage is over
	Size       int                 // see stageRun
	Strategies map[int][]byte      // checkpoints of this stage's strategy and of earlier ones that later stages resume, by stage
	Renewed    int                 // see met
	Last       int                 // see met
	Batch      []schedule.Schedule // drawn, and not yet run
}

// mark returns the checkpoint of a stage that Config.Enough has ended; nil if its
// strategy has no checkpoints, or if it would be too large.
func (x *explorer) mark(s *stageRun) []byte {
	strategies := make(map[int][]byte)
	for _, stage := range x.unfinished(s.stage) {
		k, ok := x.cfg.Plan[stage].Strategy.(schedule.Checkpointer)
		if !ok {
			return nil
		}
		var err error
		if strategies[stage], err = k.Checkpoint(); err != nil {
			return nil
		}
	}
	id, err := x.identity()
	if err != nil {
		return nil
	}
	b := checkpoint{
		Program: id.Program, Config: id.Config, Name: id.Name, Course: id.Course,
		At:     stageProgress{Stage: s.stage, End: s.end, Size: s.size, Strategies: strategies, Renewed: x.renewed, Last: x.last, Batch: s.rest},
		Firsts: x.openings, Result: *x.result, Noted: racelog.RacesOf(x.result.Noted), Met: metSoFar{slices.Collect(maps.Keys(x.seen)), x.samples},
		Used: slices.Sorted(maps.Keys(x.Sites.Used)), Hidden: slices.Sorted(maps.Keys(x.Sites.Hidden)), Outside: x.Outside, Notes: x.Notes, Observers: x.Observers,
		Covered: x.covered.Covered(),
	}
	b.Result.Noted = nil
	for _, pc := range x.Memory {
		b.Memory = append(b.Memory, source.Relative(pc))
	}
	var text bytes.Buffer
	w, _ := flate.NewWriter(&text, flate.DefaultCompression) // the level is valid
	if gob.NewEncoder(w).Encode(b) != nil || w.Close() != nil || text.Len() > mostCheckpoint {
		return nil
	}
	return text.Bytes()
}

// unfinished returns this stage of the plan and the earlier ones whose strategies a
// later stage resumes.
func (x *explorer) unfinished(stage int) []int {
	all := []int{stage}
	for later := stage + 1; later < len(x.cfg.Plan); later++ {
		if before := x.cfg.turnBefore(later); before >= x.renewed && before < stage {
			all = append(all, before)
		}
	}
	return all
}

// resume reads the checkpoint from which the exploration is to resume. It returns nil
// if there is none, or if the default schedule takes another course than it did then:
// the body's environment has changed, so the exploration begins anew.
func (x *explorer) resume() (*checkpoint, error) {
	if len(x.cfg.Bookmark) == 0 {
		return nil, nil
	}
	b := new(checkpoint)
	// No valid checkpoint decompresses to more than this bound.
	r := io.LimitReader(flate.NewReader(bytes.NewReader(x.cfg.Bookmark)), 1<<30)
	if err := gob.NewDecoder(r).Decode(b); err != nil {
		return nil, fmt.Errorf("%w: Bookmark: %w", ErrConfig, err)
	}
	id, err := x.identity()
	switch {
	case err != nil:
		return nil, err
	case b.Program != id.Program || b.Config != id.Config || b.Name != id.Name || b.At.Stage < 0 || b.At.Stage >= len(x.cfg.Plan):
		return nil, fmt.Errorf("%w: Bookmark: it is of another program or another exploration", ErrConfig)
	case b.Course != id.Course:
		return nil, nil
	}
	x.goOn(b)
	return b, nil
}

// goOn restores what the exploration knows from a checkpoint.
func (x *explorer) goOn(b *checkpoint) {
	left := x.result.Left
	*x.result = b.Result
	x.result.Left = left
	x.result.Noted = racelog.RacesFrom(b.Noted)
	x.openings, x.renewed, x.last = b.Firsts, b.At.Renewed, b.At.Last
	x.workers.Earlier, x.First = b.Result.Schedules, b.Result.Schedules == 0
	for _, pc := range b.Memory {
		x.Memory = append(x.Memory, source.Absolute(pc))
	}
	for _, order := range b.Met.Seen {
		x.seen[order] = true
	}
	x.Observe(b.Observers)
	x.Sites.LeftOut(b.Used, b.Hidden)
	if x.Outside == "" {
		x.Outside = b.Outside
	}
	x.Notes |= b.Notes
	x.covered.Add(b.Covered)
	x.samples = b.Met.Samples
}

// underlying returns the strategy that a drawer draws from.
func underlying(d schedule.Drawer) schedule.Strategy {
	if s, ok := d.(*schedule.Single); ok {
		return s.Strategy
	}
	return d
}

// searches reports whether a strategy may claim that it has run all schedules.
func searches(s schedule.Strategy) bool {
	_, ok := s.(schedule.Exhauster)
	return ok
}
