package workers

import (
	"slices"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/internal/verdict"
)

// An exploration is where in a program an exploration is, so that another process of
// the same program can come to it too.
type exploration struct {
	test   string // "" if none has said that it runs
	Number int    // of the exploration in it, from 1
	past   []past // what came of those before it
}

// current is where this process is now.
var current struct {
	sync.Mutex
	tb   testing.TB
	here exploration
}

// mostPast bounds the results that are kept for workers. A test that explores
// more often has none from then on: its explorations are short.
const mostPast = 200

// EnterTest notes that a test runs.
func EnterTest(tb testing.TB) {
	current.Lock()
	defer current.Unlock()
	if current.tb != tb {
		current.tb, current.here = tb, exploration{test: tb.Name()}
	}
}

// NextExploration notes that an exploration begins.
func NextExploration() exploration {
	current.Lock()
	defer current.Unlock()
	current.here.Number++
	at := current.here
	at.past = slices.Clone(at.past)
	return at
}

// Done notes what came of it.
func (s exploration) Done(name string, r *verdict.Result, err error) {
	current.Lock()
	defer current.Unlock()
	if current.here.test != s.test || len(current.here.past) != s.Number-1 || s.Number > mostPast {
		return
	}
	p := past{Name: name, Result: r}
	if err != nil {
		p = past{Name: name, Err: err.Error()}
	}
	current.here.past = append(current.here.past, p)
}

// whole reports whether all that came before is known.
func (s exploration) whole() bool { return len(s.past) == s.Number-1 }
