package guarantees

import (
	"context"
	"errors"
	"time"
)

var contextRows = []Row{
	{"G4a", "the context of one who waits is", waiterContext},
	{"G4b", "the first caller leaves: who stays gets", firstLeaves},
	{"G5", "all callers have left: the creation is", allLeave},
}

func waiterContext(l *lab) Outcome {
	g := l.gate()
	first := g.first(context.Background(), "k")
	ctx, cancel := context.WithCancel(context.Background())
	waiter := l.ask(ctx, "k", g.create)
	time.Sleep(settle)
	own := g.calls.Load() > 1
	cancel()
	a, ok := within(waiter)
	close(g.opened)
	if _, ok := within(first); !ok {
		return hangs
	}
	switch {
	case own:
		return partly("not asked: creates itself")
	case ok && errors.Is(a.err, context.Canceled):
		return kept("honoured")
	case ok:
		return broken(a.kind())
	}
	return broken("ignored")
}

func firstLeaves(l *lab) Outcome {
	g := l.gate()
	g.deaf = false
	ctx, cancel := context.WithCancel(context.Background())
	g.first(ctx, "k")
	waiter := l.ask(context.Background(), "k", g.create)
	time.Sleep(settle)
	own := g.calls.Load() > 1
	cancel()
	time.Sleep(settle)
	close(g.opened)
	a, ok := within(waiter)
	switch {
	case !ok:
		return hangs
	case own:
		return partly("creates itself")
	case a.kind() != "value":
		return broken("the first one's " + a.kind())
	case g.calls.Load() > 1:
		return partly("a second creation")
	}
	return kept("the value")
}

func allLeave(l *lab) Outcome {
	g := l.gate()
	ctx, cancel := context.WithCancel(context.Background())
	g.first(ctx, "k")
	l.ask(ctx, "k", g.create)
	time.Sleep(settle)
	cancel()
	creation := *g.ctx.Load()
	_, ok := within(creation.Done())
	close(g.opened)
	if !ok {
		return broken("not cancelled")
	}
	return kept("cancelled")
}
