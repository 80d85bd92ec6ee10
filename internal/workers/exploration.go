package workers

import (
	"slices"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/internal/verdict"
)

// An exploration says where in a program an exploration is, so that another process of
// the same program can reach it too.
type exploration struct {
	test   string // name of the test; "" if none has called EnterTest
	Number int    // of the exploration in it, from 1
	past   []past // results of the earlier explorations of the test
}

// current is the position of this process.
var current struct {
	sync.Mutex
	tb   testing.TB
	here exploration
}

// mostPast bounds the results that are kept for workers. A test that explores more
// often has no workers from then on, because its explorations are short.
const mostPast = 200

// EnterTest records that a test runs. It is safe for concurrent use.
func EnterTest(tb testing.TB) {
	current.Lock()
	defer current.Unlock()
	if current.tb != tb {
		current.tb, current.here = tb, exploration{test: tb.Name()}
	}
}

// NextExploration records that an exploration begins. It is safe for concurrent use.
func NextExploration() exploration {
	current.Lock()
	defer current.Unlock()
	current.here.Number++
	at := current.here
	at.past = slices.Clone(at.past)
	return at
}

// Done records the result of the exploration. It is safe for concurrent use.
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

// whole reports whether all earlier results are known.
func (s exploration) whole() bool { return len(s.past) == s.Number-1 }
