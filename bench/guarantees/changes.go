package guarantees

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

var changeRows = []Row{
	{"G8a", "Set during a creation: it", setDuring},
	{"G8b", "Delete during a creation: what was being created is", func(l *lab) Outcome {
		return l.removeDuring(func() { l.c.Delete("k") })
	}},
	{"G8c", "Invalidate during a creation: what was being created is", func(l *lab) Outcome {
		i, ok := l.c.(peers.Invalidator[string])
		if !ok {
			return missing
		}
		return l.removeDuring(func() { i.Invalidate("k") })
	}},
	{"G8d", "Set during a creation: who waited gets", waiterAfterSet},
	{"G8e", "the superseded object is", supersededObject},
	{"V", "a change of what has been changed meanwhile is", versioned},
	{"G11", "filling in what was read before an invalidation is", lateFill},
}

func setDuring(l *lab) Outcome {
	g := l.gate()
	first := g.first(context.Background(), "k")
	set := l.object()
	setting := done(func() { l.c.Set("k", set) })
	_, atOnce := within(setting)
	close(g.opened)
	if _, ok := within(first); !ok {
		return hangs
	}
	if _, ok := within(setting); !atOnce && !ok {
		return hangs
	}
	time.Sleep(settle)
	v, _ := l.c.Get("k")
	switch {
	case v != set:
		return broken("is lost")
	case !atOnce:
		return partly("waits for the creation")
	}
	return kept("wins")
}

func (l *lab) removeDuring(remove func()) Outcome {
	g := l.gate()
	first := g.first(context.Background(), "k")
	removing := done(remove)
	_, atOnce := within(removing)
	close(g.opened)
	if _, ok := within(first); !ok {
		return hangs
	}
	if _, ok := within(removing); !atOnce && !ok {
		return hangs
	}
	time.Sleep(settle)
	v, ok := l.c.Get("k")
	switch {
	case ok && v.ID == 1:
		return broken("stored")
	case !atOnce:
		return partly("waited for")
	}
	return kept("discarded")
}

func waiterAfterSet(l *lab) Outcome {
	g := l.gate()
	first := g.first(context.Background(), "k")
	waiter := l.ask(context.Background(), "k", g.create)
	time.Sleep(settle)
	own := g.calls.Load() > 1
	set := l.object()
	setting := done(func() { l.c.Set("k", set) })
	a, atOnce := within(waiter)
	close(g.opened)
	if !atOnce {
		var ok bool
		if a, ok = within(waiter); !ok {
			return hangs
		}
	}
	_, _ = within(first)
	_, _ = within(setting)
	switch {
	case own:
		return partly("what it created itself")
	case a.o != set:
		return broken("the superseded object")
	case !atOnce:
		return partly("the new object, when the creation is over")
	}
	return kept("the new object, at once")
}

func supersededObject(l *lab) Outcome {
	g := l.gate()
	first := g.first(context.Background(), "k")
	set := l.object()
	setting := done(func() { l.c.Set("k", set) })
	_, _ = within(setting)
	close(g.opened)
	a, ok := within(first)
	if !ok {
		return hangs
	}
	time.Sleep(settle)
	if a.o != nil && a.o.ID == 1 {
		if v, _ := l.c.Get("k"); v == a.o {
			return broken("not superseded")
		}
		return partly("given to a caller")
	}
	// The first call made object 1. Nobody got it.
	if o := g.made.Load(); o.closed.Load() == 1 {
		return kept("closed")
	}
	return broken("left open")
}

func versioned(l *lab) Outcome {
	c, ok := l.c.(peers.Versioner[string, *Object])
	if !ok {
		return missing
	}
	l.c.Set("k", l.object())
	_, version, _ := c.GetVersion("k")
	set := l.object()
	l.c.Set("k", set)
	if c.CompareAndSwap("k", version, l.object()) || c.CompareAndDelete("k", version) {
		return broken("made")
	}
	if v, _ := l.c.Get("k"); v != set {
		return broken("made")
	}
	return kept("refused")
}

func lateFill(l *lab) Outcome {
	c, ok := l.c.(peers.Stamper[string, *Object])
	if !ok {
		return missing
	}
	i, ok := l.c.(peers.Invalidator[string])
	if !ok {
		return missing
	}
	fill := c.Stamp("k")
	i.Invalidate("k")
	if fill(l.object()) {
		return broken("taken")
	}
	if !c.Stamp("k")(l.object()) {
		return broken("refused, and all else too")
	}
	return kept("refused")
}
