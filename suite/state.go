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

// saved is what is remembered of the exploration of a test.
type saved struct {
	Schedules, Distinct, Points int
	Exhausted, Coarse           bool
	Incomplete                  string            `json:",omitempty"`
	Claim                       string            `json:",omitempty"`
	Covered                     *coverage.Listing `json:",omitempty"` // with those before the checkpoint
	Bound                       *int              `json:",omitempty"`
	Done                        bool              // there is no more to explore
	Bookmark                    []byte            `json:",omitempty"` // if not Done; see protocol.Request
	// Tried are the ids of the cards that this program does not fail by.
	Tried []string `json:",omitempty"`
}

// reach is how far a process has come.
func (s *saved) reach(e protocol.Event) {
	s.Schedules, s.Distinct, s.Points, s.Exhausted, s.Bookmark = e.Schedules, e.Distinct, e.Points, e.Exhausted, e.Bookmark
	s.Coarse, s.Incomplete, s.Bound = s.Coarse || e.Coarse, e.Incomplete, e.Bound
	s.Claim, s.Covered = e.Claim, e.Covered
}

// event is what the end of the exploration would have said.
func (s *saved) event(discovered protocol.Event) *protocol.Event {
	e := discovered
	e.Verdict, e.Reason = holds, ""
	e.Schedules, e.Distinct, e.Points, e.Exhausted, e.Bookmark = s.Schedules, s.Distinct, s.Points, s.Exhausted, s.Bookmark
	e.Coarse, e.Incomplete, e.Bound = e.Coarse || s.Coarse, s.Incomplete, s.Bound
	e.Claim, e.Covered = s.Claim, s.Covered
	return &e
}

// save is what to remember of an exploration, unless there is nothing: what
// failed is to fail again.
func (x *exploration) save() (s saved, ok bool) {
	s = x.past
	if len(x.met) > 0 {
		return saved{Tried: s.Tried}, len(s.Tried) > 0 // what was passed by is to be met again
	}
	if x.stopped {
		ok = len(s.Bookmark) > 0 // nobody can go on from where it was
	} else if x.result != nil {
		s.reach(*x.result)
		s.Done = x.whole
		ok = x.result.Verdict == holds
	} else {
		ok = x.died == ""
	}
	if !s.Done && len(s.Bookmark) == 0 {
		s = saved{Tried: s.Tried} // nobody can go on from there
	}
	return s, ok && s.Schedules+len(s.Tried) > 0
}

// further is what is known of a test when two runs have explored it.
func (s saved) further(other saved) saved {
	tried := append(slices.Clone(s.Tried), other.Tried...)
	slices.Sort(tried)
	if other.Done && !s.Done || other.Done == s.Done && other.Schedules > s.Schedules {
		s = other
	}
	s.Tried = slices.Compact(tried)
	return s
}

// A memory is where runs leave to later ones what they know.
type memory struct {
	explored ledger.File[saved]     // of this program, explored in this way, by test
	failed   ledger.File[[]failure] // of the package, whatever program it was, by test
}

// memory finds it. What explorations depend on is part of their file's name.
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
	subtests := fmt.Sprintf("%q %q", deep(c.Run), deep(c.Skip)) // without others a test is another one
	way := digest("%d %s %s %v %d %d %d %q %t %d %q %s", c.Stall, r.ImportPath, program, c.Plan, c.Schedules, c.Seed, c.MaxSteps, c.Leaks, c.Short, c.Parallel, c.Args, subtests)
	return memory{
		ledger.File[saved]{Dir: filepath.Join(dir, "explored"), Name: way},
		ledger.File[[]failure]{Dir: filepath.Join(dir, "failed"), Name: digest("%s %s %s", r.ImportPath, r.Dir, subtests)},
	}, nil
}

// keep keeps what is known after a run.
func (m memory) keep(all []*exploration) error {
	err := m.explored.Update(func(tests map[string]saved) {
		for _, x := range all {
			if s, ok := x.save(); ok {
				if now := tests[x.name]; !reflect.DeepEqual(now, x.read) { // another run has gone on, too
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

// digest is a name made of what is formatted.
func digest(format string, args ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, format, args...))
	return hex.EncodeToString(sum[:12])
}

// cardID tells cards apart in few bytes.
func cardID(card string) string { return digest("%s", card)[:16] }
