package guarantees

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/cache"
)

var cycleRows = []Row{
	{"G6a", "a creator asks for its own key", func(l *lab) Outcome { return l.cycle("a") }},
	{"G6b", "a creator asks for b, whose creator asks for a", func(l *lab) Outcome { return l.cycle("a", "b") }},
	{"G6c", "the same, begun by two callers at once", crossing},
}

var errEndless = errors.New("the creators call one another without end")

// cycle asks for the first of the keys, each of whose creators asks for the next.
func (l *lab) cycle(keys ...string) Outcome {
	var depth atomic.Int32
	var create func(i int) func(context.Context) (*Object, error)
	create = func(i int) func(context.Context) (*Object, error) {
		return func(ctx context.Context) (*Object, error) {
			if depth.Add(1) > 100 {
				return nil, errEndless
			}
			next := (i + 1) % len(keys)
			return l.c.GetOrCreate(ctx, keys[next], create(next))
		}
	}
	a, ok := within(l.ask(context.Background(), keys[0], create(0)))
	return cycled(a, ok)
}

// crossing begins at both keys; no creator asks for the other key before both run.
func crossing(l *lab) Outcome {
	var both sync.WaitGroup
	both.Add(2)
	asking := func(key string) func(context.Context) (*Object, error) {
		var once sync.Once
		return func(ctx context.Context) (*Object, error) {
			once.Do(both.Done)
			if !ended(both.Wait) {
				return nil, errors.New("the other creator did not begin")
			}
			return l.c.GetOrCreate(ctx, key, func(context.Context) (*Object, error) { return nil, errEndless })
		}
	}
	ctx := context.Background()
	a, b := l.ask(ctx, "a", asking("b")), l.ask(ctx, "b", asking("a"))
	one, ok := within(a)
	if o := cycled(one, ok); o.Grade != Kept {
		return o
	}
	other, ok := within(b)
	return cycled(other, ok)
}

// cycled judges the answer to a cycle.
func cycled(a answer, ok bool) Outcome {
	switch {
	case !ok:
		return hangs
	case errors.Is(a.err, errEndless):
		return broken("endless recursion")
	case errors.Is(a.err, cache.ErrCycle):
		return kept("error with the cycle")
	}
	return broken(a.kind())
}
