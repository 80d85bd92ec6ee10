package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// saved is what is remembered of the exploration of a test.
type saved struct {
	Schedules, Distinct, Points int
	Exhausted                   bool
	Done                        bool // there is no more to explore
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
		return s, x.died == "" && s.Schedules > 0
	}
	e := x.result
	s = saved{Schedules: e.Schedules, Distinct: e.Distinct, Points: e.Points, Exhausted: e.Exhausted}
	s.Done = x.whole
	return s, e.Verdict == holds
}

// memory is where the explorations of a program are remembered. What they depend
// on is part of its name.
func (r *run) memory() (string, error) {
	print, err := executable.Fingerprint(r.binary)
	if err != nil {
		return "", err
	}
	dir, err := toolchain.CacheDir(r.cfg.Cache)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	c := r.cfg
	fmt.Fprintf(h, "%s %s %v %d %d %d %q %t %q", r.ImportPath, print, c.Plan, c.Schedules, c.Seed, c.MaxSteps, c.Leaks, c.Short, c.Args)
	return filepath.Join(dir, "explored", hex.EncodeToString(h.Sum(nil))[:24]+".json"), nil
}

// recall reads what earlier runs have explored. Nothing is lost but time if it
// cannot be read.
func recall(path string) map[string]saved {
	known := make(map[string]saved)
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &known) != nil {
		return make(map[string]saved)
	}
	return known
}

// remember writes it, in one step.
func remember(path string, known map[string]saved) error {
	text, err := json.Marshal(known)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
