package guarantees

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

var independenceRows = []Row{
	{"G7a", "a slow creation: of 2,000 hits on other keys wait", func(l *lab) Outcome {
		return l.delayed(2000, func(i int) {
			l.c.Get("old " + strconv.Itoa(i))
		})
	}},
	{"G7b", "of 2,000 creations of other keys wait", func(l *lab) Outcome {
		return l.delayed(2000, func(i int) {
			_, _ = l.c.GetOrCreate(context.Background(), "old "+strconv.Itoa(i+2000), l.create)
		})
	}},
	{"G7c", "of 20,000 while the table grows wait", func(l *lab) Outcome {
		return l.delayed(20_000, func(i int) {
			_, _ = l.c.GetOrCreate(context.Background(), "new "+strconv.Itoa(i), l.create)
		})
	}},
	{"G7d", "an iteration", iteration},
}

// delayed counts how many calls do not return while a creation of another key is under way.
func (l *lab) delayed(n int, call func(i int)) Outcome {
	for i := range 4000 {
		l.c.Set("old "+strconv.Itoa(i), l.object())
		if i >= 2000 {
			l.c.Delete("old " + strconv.Itoa(i))
		}
	}
	g := l.gate()
	g.first(context.Background(), "slow")
	defer close(g.opened)
	var returned atomic.Int32
	all := make(chan struct{})
	for i := range n {
		go func() {
			call(i)
			if returned.Add(1) == int32(n) {
				close(all)
			}
		}()
	}
	// One bound for all calls: with two processors 20,000 creations take some 50 ms.
	select {
	case <-all:
	case <-time.After(2 * soon):
	}
	if late := n - int(returned.Load()); late > 0 {
		return broken(fmt.Sprint(late))
	}
	return kept("0")
}

func iteration(l *lab) Outcome {
	r, ok := l.c.(peers.Ranger[string, *Object])
	if !ok {
		return missing
	}
	for i := range 2000 {
		l.c.Set(strconv.Itoa(i), l.object())
	}
	g := l.gate()
	g.first(context.Background(), "slow")
	defer close(g.opened)
	if !ended(func() { r.Range(func(string, *Object) bool { return true }) }) {
		return broken("waits")
	}
	return kept("goes on")
}
