package explore_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// A stack under a lock. Its model is a slice.
type stack struct {
	mu    sync.Mutex
	items []int
}

// A stackCall pushes a value, or pops if push is nil.
type stackCall struct{ push *int }

func (c stackCall) String() string {
	if c.push == nil {
		return "Pop()"
	}
	return fmt.Sprintf("Push(%d)", *c.push)
}

func (s *stack) apply(c stackCall) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.push != nil {
		s.items = append(s.items, *c.push)
		return "ok"
	}
	if len(s.items) == 0 {
		return "empty"
	}
	top := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return fmt.Sprint(top)
}

// stackModel is a sequential stack. Its slices are cut, or copied before they grow, so they
// never change in place.
var stackModel = explore.Model[[]int, stackCall, string]{
	Step: func(items []int, c stackCall) ([]int, string) {
		switch n := len(items); {
		case c.push != nil:
			return append(items[:n:n], *c.push), "ok"
		case n == 0:
			return items, "empty"
		default:
			return items[:n-1], fmt.Sprint(items[n-1])
		}
	},
}

func push(v int) stackCall { return stackCall{&v} }

var pop stackCall

// This tests every interleaving of two threads on a stack. Under plain go test it explores.
// A violation shows the operations that no order explains, and the schedule.
func ExampleLinearizable() {
	testStack := func(t testing.TB) { // in a test file it is func TestStack(t *testing.T)
		explore.Test(t, explore.Config{}, func(t *explore.T) {
			s := new(stack)
			explore.Linearizable(t, stackModel, s.apply,
				[]stackCall{push(1), pop},
				[]stackCall{push(2), pop})
		})
	}
	testStack(console{name: "TestStack"})
	// Output: TestStack holds
}

// In this history the threads decide what to do next. There are calls before and after
// those of the threads.
func ExampleHistory() {
	testStack := func(t testing.TB) {
		explore.Test(t, explore.Config{}, func(t *explore.T) {
			s := new(stack)
			h := explore.NewHistory(t, stackModel)
			h.Do(push(1), s.apply)
			t.Go("mover", func() {
				if h.Do(pop, s.apply) != "empty" {
					h.Do(push(2), s.apply)
				}
			})
			t.Go("popper", func() { h.Do(pop, s.apply) })
			t.Wait()
			h.Do(pop, s.apply)
			h.Check()
		})
	}
	testStack(console{name: "TestStack"})
	// Output: TestStack holds
}

// The functions of a model can be tried on their own.
func ExampleModel() {
	var items []int
	for _, c := range []stackCall{push(1), push(2), pop, pop, pop} {
		var out string
		items, out = stackModel.Step(items, c)
		fmt.Println(c, "=", out)
	}
	// Output:
	// Push(1) = ok
	// Push(2) = ok
	// Pop() = 2
	// Pop() = 1
	// Pop() = empty
}

// The bodies of the examples hold.
func TestExamplesOfHistories(t *testing.T) {
	explore.Test(t, explore.Config{}, func(t *explore.T) {
		s := new(stack)
		explore.Linearizable(t, stackModel, s.apply, []stackCall{push(1), pop}, []stackCall{push(2), pop})
		h := explore.NewHistory(t, stackModel)
		u := new(stack)
		t.Go("mover", func() {
			if h.Do(pop, u.apply) != "empty" {
				h.Do(push(2), u.apply)
			}
		})
		h.Do(push(1), u.apply)
		t.Wait()
		h.Do(pop, u.apply)
		h.Check()
	})
}
