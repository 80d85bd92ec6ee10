package guarantees

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
	"github.com/jacquard-go/jacquard/cache"
)

var ownershipRows = []Row{
	{"G9", "an object that left while a caller uses it is closed", leased},
	{"G10a", "Close during a creation: who waits", closeTells},
	{"G10b", "Close: objects are closed", closeCloses},
	{"G10c", "calls after Close", afterClose},
}

func leased(l *lab) Outcome {
	c, ok := l.c.(peers.Leaser[string, *Object])
	if !ok {
		return broken("never")
	}
	ctx := context.Background()
	o, release, err := c.Acquire(ctx, "k", l.create)
	if err != nil {
		return broken(err.Error())
	}
	l.c.Delete("k")
	if o.closed.Load() != 0 {
		return broken("under the caller")
	}
	release()
	if o.closed.Load() != 1 {
		return broken("never")
	}
	return kept("after the last use")
}

func closeTells(l *lab) Outcome {
	c, ok := l.c.(peers.Closer)
	if !ok {
		return missing
	}
	g := l.gate()
	g.deaf = false
	first := g.first(context.Background(), "k")
	waiter := l.ask(context.Background(), "k", g.create)
	time.Sleep(settle)
	closing := done(func() { _ = c.Close() })
	a, ok := within(waiter)
	b, cancelled := within(first)
	close(g.opened)
	if !ended(func() { <-closing }) {
		return hangs
	}
	switch {
	case ok && cancelled && errors.Is(a.err, cache.ErrClosed) && errors.Is(b.err, cache.ErrClosed):
		return kept("is told at once")
	case ok:
		return partly(a.kind())
	}
	return broken("waits for the creation, as does Close")
}

func closeCloses(l *lab) Outcome {
	c, ok := l.c.(peers.Closer)
	if !ok {
		return missing
	}
	ctx := context.Background()
	made, set, replaced := l.object(), l.object(), l.object()
	if a, ok := within(l.ask(ctx, "made", func(context.Context) (*Object, error) { return made, nil })); !ok || a.err != nil {
		return hangs
	}
	l.c.Set("set", replaced)
	l.c.Set("set", set)
	if !ended(func() { _ = c.Close(); _ = c.Close() }) {
		return hangs
	}
	for _, o := range []*Object{made, set, replaced} {
		if n := o.closed.Load(); n == 0 {
			return broken("never")
		} else if n > 1 {
			return broken("twice")
		}
	}
	return kept("once each")
}

func afterClose(l *lab) Outcome {
	c, ok := l.c.(peers.Closer)
	if !ok {
		return missing
	}
	l.c.Set("k", l.object())
	if !ended(func() { _ = c.Close() }) {
		return hangs
	}
	ctx := context.Background()
	old, ok := within(l.ask(ctx, "k", l.create))
	fresh, ok2 := within(l.ask(ctx, "other", l.create))
	_, found := l.c.Get("k")
	switch {
	case !ok || !ok2:
		return hangs
	case found:
		return broken("find values")
	case old.kind() == "error" && fresh.kind() == "error" && !l.c.Set("k", l.object()):
		return kept("are refused")
	case old.kind() == "error" && fresh.kind() == "error":
		return partly("are refused, but Set says that it is done")
	}
	return broken("create")
}
