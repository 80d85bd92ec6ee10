package guarantees

import (
	"context"
	"errors"
	"runtime"
	"time"
)

var failureRows = []Row{
	{"G2a", "an error: who waited gets", errorToWaiters},
	{"G2b", "an error: the next call", errorForgotten},
	{"G3a", "a panic in the creator: who waited / the next call", func(l *lab) Outcome {
		return failure(l, func() (*Object, error) { panic("boom") })
	}},
	{"G3b", "a Goexit in the creator: who waited / the next call", func(l *lab) Outcome {
		return failure(l, func() (*Object, error) { runtime.Goexit(); return nil, nil })
	}},
}

var errCreate = errors.New("creator failed")

func errorToWaiters(l *lab) Outcome {
	g := l.gate()
	g.fail = func() (*Object, error) { return nil, errCreate }
	ctx := context.Background()
	first := g.first(ctx, "k")
	waiter := l.ask(ctx, "k", g.create)
	time.Sleep(settle)
	own := g.calls.Load() > 1
	close(g.opened)
	if _, ok := within(first); !ok {
		return hangs
	}
	a, ok := within(waiter)
	switch {
	case !ok:
		return hangs
	case own:
		return partly("creates itself")
	case errors.Is(a.err, errCreate):
		return kept("the error")
	case a.kind() == "value":
		return partly("creates next")
	}
	return broken(a.kind())
}

func errorForgotten(l *lab) Outcome {
	ctx := context.Background()
	fails := func(context.Context) (*Object, error) { return nil, errCreate }
	if _, ok := within(l.ask(ctx, "k", fails)); !ok {
		return hangs
	}
	a, ok := within(l.ask(ctx, "k", l.create))
	switch {
	case !ok:
		return hangs
	case a.kind() == "value":
		return kept("creates")
	}
	return broken(a.kind())
}

// failure makes a creation end by fail while another caller waits for it.
func failure(l *lab, fail func() (*Object, error)) Outcome {
	g := l.gate()
	g.fail = fail
	ctx := context.Background()
	g.first(ctx, "k") // its answer depends on which goroutine the creator runs on
	waiter := l.ask(ctx, "k", g.create)
	time.Sleep(settle)
	own := g.calls.Load() > 1
	close(g.opened)
	a, ok := within(waiter)
	told, grade := a.kind(), Broken
	switch {
	case !ok:
		told, grade = "hangs", Fatal
	case own:
		told, grade = "creates itself", Partly
	case told == "value":
		told, grade = "creates next", Partly
	case told == "error":
		grade = Kept
	}
	next, ok := within(l.ask(ctx, "k", l.create))
	switch {
	case !ok:
		return Outcome{told + " / hangs", Fatal}
	case next.kind() != "value":
		return Outcome{told + " / " + next.kind(), max(grade, Broken)}
	}
	return Outcome{told + " / ok", grade}
}
