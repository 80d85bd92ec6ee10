package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite/ledger"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// saved is the stored state of a test's exploration.
type saved struct {
	Schedules, Distinct, Points int
	Exhausted, Coarse           bool
	Incomplete                  string            `json:",omitempty"`
	Claim                       string            `json:",omitempty"`
	Covered                     *coverage.Listing `json:",omitempty"` // including those before the checkpoint
	Bound                       *int              `json:",omitempty"`
	Done                        bool              // nothing is left to explore
	Bookmark                    []byte            `json:",omitempty"` // if not Done; see protocol.Request
	// Tried are the ids of cards that do not fail with this program.
	Tried []string `json:",omitempty"`
}

// reach records how far a process has got.
func (s *saved) reach(e protocol.Event) {
	s.Schedules, s.Distinct, s.Points, s.Exhausted, s.Bookmark = e.Schedules, e.Distinct, e.Points, e.Exhausted, e.Bookmark
	s.Coarse, s.Incomplete, s.Bound = s.Coarse || e.Coarse, e.Incomplete, e.Bound
	s.Claim, s.Covered = e.Claim, e.Covered
}

// event returns the event that the end of the exploration would have sent.
func (s *saved) event(discovered protocol.Event) *protocol.Event {
	e := discovered
	e.Verdict, e.Reason = holds, ""
	e.Schedules, e.Distinct, e.Points, e.Exhausted, e.Bookmark = s.Schedules, s.Distinct, s.Points, s.Exhausted, s.Bookmark
	e.Coarse, e.Incomplete, e.Bound = e.Coarse || s.Coarse, s.Incomplete, s.Bound
	e.Claim, e.Covered = s.Claim, s.Covered
	return &e
}

// save returns the state to store, if any. Nothing is stored after a failure, so that it happens
// again.
func (x *exploration) save() (s saved, ok bool) {
	s = x.past
	if len(x.met) > 0 {
		return saved{Tried: s.Tried}, len(s.Tried) > 0 // failures that were passed over must be met again
	}
	if x.stopped {
		ok = len(s.Bookmark) > 0 // without a bookmark it cannot be continued
	} else if x.result != nil {
		s.reach(*x.result)
		s.Done = x.whole
		ok = x.result.Verdict == holds
	} else {
		ok = x.died == ""
	}
	if !s.Done && len(s.Bookmark) == 0 {
		s = saved{Tried: s.Tried} // without a bookmark it cannot be continued
	}
	return s, ok && s.Schedules+len(s.Tried) > 0
}

// further merges the states of two runs that have explored a test.
func (s saved) further(other saved) saved {
	tried := append(slices.Clone(s.Tried), other.Tried...)
	slices.Sort(tried)
	if other.Done && !s.Done || other.Done == s.Done && other.Schedules > s.Schedules {
		s = other
	}
	s.Tried = slices.Compact(tried)
	return s
}

// A memory is where runs store what later runs use.
type memory struct {
	explored ledger.File[saved]     // by test, for this program and configuration
	failed   ledger.File[[]failure] // by test, for any program of the package
}

// memory returns the files. What an exploration depends on is part of its file's name.
func (r *run) memory() (memory, error) {
	program, err := executable.Fingerprint(r.Binary)
	if err != nil {
		return memory{}, err
	}
	dir, err := toolchain.CacheDir(r.cfg.Cache)
	if err != nil {
		return memory{}, err
	}
	c := r.cfg
	subtests := fmt.Sprintf("%q %q", deep(c.Run), deep(c.Skip)) // with other subtests it is a different test
	way := digest("%d %s %s %v %d %d %d %q %t %d %q %s %d", c.Stall, r.ImportPath, program, c.Plan, c.Schedules, c.Seed, c.MaxSteps, c.Leaks, c.Short, c.Parallel, c.Args, subtests, c.further)
	return memory{
		ledger.File[saved]{Dir: filepath.Join(dir, "explored"), Name: way},
		ledger.File[[]failure]{Dir: filepath.Join(dir, "failed"), Name: digest("%s %s %s", r.ImportPath, r.Dir, subtests)},
	}, nil
}

// keep stores the state after a run.
func (m memory) keep(all []*exploration) error {
	err := m.explored.Update(func(tests map[string]saved) {
		for _, x := range all {
			if s, ok := x.save(); ok {
				if now := tests[x.name]; !reflect.DeepEqual(now, x.read) { // another run has continued, too
					s = s.further(now)
				}
				tests[x.name] = s
			}
		}
	})
	if err != nil {
		return err
	}
	return m.failed.Update(func(tests map[string][]failure) {
		for _, x := range all {
			if tests[x.name] = x.remember(tests[x.name]); len(tests[x.name]) == 0 {
				delete(tests, x.name)
			}
		}
	})
}

// digest returns a file name for the formatted values.
func digest(format string, args ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, format, args...))
	return hex.EncodeToString(sum[:12])
}

// cardID identifies a card in few bytes.
func cardID(card string) string { return digest("%s", card)[:16] }
