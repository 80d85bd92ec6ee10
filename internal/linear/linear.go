package linear

import (
	"fmt"
	"reflect"

	"github.com/jacquard-go/jacquard/internal/engine"
)

// A Model is the sequential specification of an object. Concurrent calls on the object
// are correct if they are linearizable: if each seems to take effect at one moment
// between its call and its return (Herlihy and Wing, ACM TOPLAS 1990). [Linearizable]
// and [History] check that.
//
// S is the object's state, In a call with its arguments, Out what it returns.
// Give In and Out a String method, or set Describe, for reports that read well.
//
// The functions must be pure: they depend on their arguments only, change nothing, and
// use no [T]. They run outside the execution, sometimes on another goroutine. They
// cannot express an object that may choose between several results; check such a choice
// in Agree, if the result alone shows it.
type Model[S, In, Out any] struct {
	// Init returns the initial state of the object, or of each partition if there are
	// several. Nil means the zero value of S.
	Init func() S
	// Step returns the next state and the result of one call. It must have an answer to
	// every call in every state. It must not modify the state that it is given: maps
	// and slices must be cloned. Required.
	Step func(state S, in In) (S, Out)
	// Equal reports whether two states are the same. Nil means
	// [reflect.DeepEqual].
	Equal func(a, b S) bool
	// Agree reports whether a call may return got if Step returns want.
	// Nil means [reflect.DeepEqual], which compares errors by their
	// contents.
	Agree func(want, got Out) bool
	// Partition returns the part of the object, such as a key of a map, that a call
	// concerns. Parts must be independent; each is then checked separately, which
	// makes long histories feasible (Horn and Kroening, FORTE 2015). Nil means one
	// part.
	Partition func(in In) string
	// Describe returns the text of a call for reports, such as "Push(1)". Nil formats
	// it with %v.
	Describe func(in In) string
	// MaxSteps bounds one check, in calls of Step and Equal: the problem is
	// NP-hard. A check that reaches it makes the execution inconclusive. 0 means
	// 100,000.
	MaxSteps int
}

// Linearizable runs each thread in a goroutine of its own, which calls apply for each
// of the thread's calls. It waits for all of them, and checks that the results are
// linearizable with respect to m. If not, it fails as by [T.Errorf]; the message shows
// a minimal set of operations.
//
//	explore.Test(t, explore.Config{}, func(t *explore.T) {
//		var n counter
//		explore.Linearizable(t, adding, func(d int) int { return n.Add(d) },
//			[]int{1, 2}, // the calls of thread 1
//			[]int{3})    // the calls of thread 2
//	})
//
// There is a scheduling point between two calls of a thread, which
// distinguishes what others do in between from what they do during a call.
// Several goroutines may call apply at once. See [History] for threads that
// decide what to do next, for calls before and after the threads, and for calls
// that never return.
func Linearizable[S, In, Out any](t *engine.T, m Model[S, In, Out], apply func(In) Out, threads ...[]In) {
	h := NewHistory(t, m)
	for i, calls := range threads {
		name := fmt.Sprint("thread ", i+1)
		t.Go(name, func() {
			for n, in := range calls {
				if n > 0 {
					boundary()
				}
				h.do(name, in, apply)
			}
		})
	}
	t.Wait()
	h.Check()
}

// A History records calls on one object and checks them against a model. It serves a
// single execution of a body:
//
//	h := explore.NewHistory(t, model)
//	t.Go("producer", func() { h.Do(push(1), q.apply) })
//	t.Go("consumer", func() {
//		if h.Do(pop, q.apply).ok {
//			h.Do(push(2), q.apply)
//		}
//	})
//	t.Wait()
//	h.Do(length, q.apply)
//	h.Check()
//
// Any goroutine of the body may call its methods. For the race detector they order
// nothing.
type History[S, In, Out any] struct {
	t    *engine.T
	spec *spec
	rec  *recording
}

// NewHistory returns an empty history of an object that m specifies. It panics if m has
// no Step or a negative MaxSteps.
func NewHistory[S, In, Out any](t *engine.T, m Model[S, In, Out]) *History[S, In, Out] {
	return &History[S, In, Out]{t: t, spec: m.spec(), rec: newRecording(t)}
}

// Do calls apply(in), records call and return, and returns the result. A call that does
// not return, because it blocks or ends its goroutine, counts as one that may or may
// not have taken effect.
//
// Its beginning is a scheduling point. Otherwise every call would begin immediately
// after the previous action of its goroutine, and stale results would go
// undetected.
func (h *History[S, In, Out]) Do(in In, apply func(In) Out) Out {
	boundary()
	return h.do("", in, apply)
}

func (h *History[S, In, Out]) do(client string, in In, apply func(In) Out) Out {
	op := h.rec.call(client, in)
	out := apply(in)
	h.rec.returned(op, out)
	return out
}

// Check fails, as by [T.Errorf], unless the calls recorded so far are
// linearizable. It uses the algorithm of Wing and Gong (JPDC 1993) with Lowe's
// memoisation (Concurrency and Computation 2017), as implemented by porcupine. If
// that takes more than [Model].MaxSteps, or no calls were recorded, the execution
// is inconclusive; see [T.Inconclusive]. The calling goroutine continues in any
// case.
func (h *History[S, In, Out]) Check() { judge(h.t, h.spec, h.rec) }

// defaultSteps is the default of Model.MaxSteps. So many steps take a few hundred
// milliseconds and a few tens of megabytes.
const defaultSteps = 100_000

// spec erases the types of a model. Generic code is compiled with the code under test,
// and is race-instrumented like it; the rest of this package is not.
func (m Model[S, In, Out]) spec() *spec {
	if m.Step == nil {
		panic("explore: Model.Step: got nil, want a function")
	}
	if m.MaxSteps < 0 {
		panic(fmt.Sprintf("explore: Model.MaxSteps: got %d, want a positive number", m.MaxSteps))
	}
	s := &spec{
		steps:    m.MaxSteps,
		init:     func() any { var zero S; return zero },
		step:     func(state, in any) (any, any) { s, out := m.Step(as[S](state), as[In](in)); return s, out },
		equal:    reflect.DeepEqual,
		agree:    reflect.DeepEqual,
		describe: func(in any) string { return fmt.Sprint(in) },
		result:   func(out any) string { return fmt.Sprint(out) },
		fragile:  hasReferences(reflect.TypeFor[S](), nil),
	}
	if s.steps == 0 {
		s.steps = defaultSteps
	}
	if m.Init != nil {
		s.init = func() any { return m.Init() }
	}
	if m.Equal != nil {
		s.equal = func(a, b any) bool { return m.Equal(as[S](a), as[S](b)) }
	}
	if m.Agree != nil {
		s.agree = func(want, got any) bool { return m.Agree(as[Out](want), as[Out](got)) }
	}
	if m.Partition != nil {
		s.partition = func(in any) string { return m.Partition(as[In](in)) }
	}
	if m.Describe != nil {
		s.describe = func(in any) string { return m.Describe(as[In](in)) }
	}
	if reflect.TypeFor[Out]().Size() == 0 {
		s.result = nil
	}
	return s
}

// as is v.(V), except that it returns the zero V for a nil v.
func as[V any](v any) V {
	typed, _ := v.(V)
	return typed
}
