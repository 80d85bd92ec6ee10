package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// saved is what is remembered of the exploration of a test.
type saved struct {
	Schedules, Distinct, Points int
	Exhausted                   bool
	Done                        bool // there is no more to explore
	// Tried are the ids of the cards that this program does not fail by.
	Tried []string `json:",omitempty"`
}

// add adds what a process has explored. How many executions of two processes
// are the same is not known; they differ at least as much as those of one.
func (s *saved) add(e protocol.Event) {
	s.Schedules += e.Schedules
	s.Distinct = max(s.Distinct, e.Distinct)
	s.Points = max(s.Points, e.Points)
}

// event is what the end of the exploration would have said.
func (s *saved) event(survey protocol.Event) *protocol.Event {
	e := survey
	e.Verdict, e.Reason = holds, ""
	e.Schedules, e.Distinct, e.Points, e.Exhausted = s.Schedules, s.Distinct, s.Points, s.Exhausted
	return &e
}

// save is what to remember of an exploration, unless there is nothing: what
// failed is to fail again.
func (x *exploration) save() (s saved, ok bool) {
	s = x.past
	if x.result == nil {
		s.add(x.now)
		return s, x.died == "" && s.Schedules+len(s.Tried) > 0
	}
	e := x.result
	s = saved{Schedules: e.Schedules, Distinct: e.Distinct, Points: e.Points, Exhausted: e.Exhausted, Tried: s.Tried}
	s.Done = x.whole
	return s, e.Verdict == holds
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
	explored ledger[saved]     // of this program, explored in this way, by test
	failed   ledger[[]failure] // of the package, whatever program it was, by test
}

// memory finds it. What explorations depend on is part of their file's name.
func (r *run) memory() (memory, error) {
	print, err := executable.Fingerprint(r.binary)
	if err != nil {
		return memory{}, err
	}
	dir, err := toolchain.CacheDir(r.cfg.Cache)
	if err != nil {
		return memory{}, err
	}
	c := r.cfg
	way := digest("%s %s %v %d %d %d %q %t %d %q", r.ImportPath, print, c.Plan, c.Schedules, c.Seed, c.MaxSteps, c.Leaks, c.Short, c.Parallel, c.Args)
	return memory{
		ledger[saved]{filepath.Join(dir, "explored"), way},
		ledger[[]failure]{filepath.Join(dir, "failed"), digest("%s %s", r.ImportPath, r.Dir)},
	}, nil
}

// keep keeps what is known after a run.
func (m memory) keep(all []*exploration) error {
	err := m.explored.update(func(tests map[string]saved) {
		for _, x := range all {
			if s, ok := x.save(); ok {
				tests[x.name] = s.further(tests[x.name])
			}
		}
	})
	if err != nil {
		return err
	}
	return m.failed.update(func(tests map[string][]failure) {
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
