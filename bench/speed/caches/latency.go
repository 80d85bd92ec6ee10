package caches

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// The rows on how a slow creation affects other calls. Two goroutines work while it lasts, one hits existing keys,
// one creates new ones; the same is done without it, in the same round. The figure is the ratio of the 99th percentiles
// of a call's latency. A note reports calls that waited for the slow creation, which a percentile of calls made one after
// the other would hide, because a goroutine that waits makes few calls.

func latencyRows() []Row {
	row := func(name string, growing bool, of func(latencies) *histogram) Row {
		return Row{Name: name, Unit: "×", Digits: 2, measure: disturbance(growing, of)}
	}
	hits := func(l latencies) *histogram { return l.hits }
	creations := func(l latencies) *histogram { return l.creations }
	return []Row{
		row("p99 of other hits during a slow creation, to without", false, hits),
		row("p99 of other creations", false, creations),
		row("p99 of other hits, the table growing", true, hits),
		row("p99 of other creations, the table growing", true, creations),
	}
}

// latencies are those of one stretch of time.
type latencies struct{ hits, creations *histogram }

func disturbance(growing bool, of func(latencies) *histogram) func(context.Context, Config) ([]Result, error) {
	return func(ctx context.Context, cfg Config) ([]Result, error) {
		slow := time.Duration(cfg.Slow) * time.Millisecond
		rounds := max(1, cfg.Rounds/4)
		return interleave(ctx, rounds, lanesFor[int](func(name peers.Name) func(int) (float64, string, error) {
			waited := 0
			return func(round int) (float64, string, error) {
				without, err := stretch(ctx, name, growing, slow, false)
				if err != nil {
					return 0, "", err
				}
				with, err := stretch(ctx, name, growing, slow, true)
				if err != nil {
					return 0, "", err
				}
				h := of(with)
				if h.longest > slow*2/3 {
					waited++
				}
				note := fmt.Sprintf("%.1f µs", float64(h.percentile(0.99).Nanoseconds())/1e3)
				if waited > (round+1)/2 { // on a busy machine a call may wait now and then anyway
					note += fmt.Sprintf(", one waited in %d of %d rounds", waited, round+1)
				}
				return float64(h.percentile(0.99)) / float64(of(without).percentile(0.99)), note, nil
			}
		}))
	}
}

// room is more keys than are created in a stretch.
const room = 1 << 20

// stretch works on a new cache for the time given, and returns the latencies.
func stretch(ctx context.Context, name peers.Name, growing bool, last time.Duration, disturbed bool) (l latencies, err error) {
	var c peers.Cache[int, int]
	if growing {
		c, err = open[int, int](name, room)
	} else {
		c, err = peers.Open[int, int](name, room)
	}
	if err != nil {
		return l, err
	}
	defer shut(c)
	for k := range small {
		c.Set(-1-k, k)
	}
	l = latencies{new(histogram), new(histogram)}
	over := make(chan struct{})
	var all sync.WaitGroup
	if disturbed {
		started := make(chan struct{})
		all.Go(func() {
			_, _ = c.GetOrCreate(ctx, room, func(context.Context) (int, error) {
				close(started)
				<-over
				return 0, nil
			})
		})
		<-started
	}
	var stop atomic.Bool
	all.Go(func() {
		for k := 0; !stop.Load(); k++ {
			l.hits.time(func() { _, _ = c.GetOrCreate(ctx, -1-k%small, zero) })
		}
	})
	all.Go(func() {
		for k := 0; k < room && !stop.Load(); k++ {
			l.creations.time(func() { _, _ = c.GetOrCreate(ctx, k, zero) })
		}
	})
	timer := time.NewTimer(last)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	stop.Store(true)
	close(over)
	all.Wait()
	return l, ctx.Err()
}

// histogram counts durations in classes whose width is a 32nd of their size.
type histogram struct {
	classes [64 * 32]int
	n       int
	longest time.Duration
}

// time counts the duration of f.
func (h *histogram) time(f func()) {
	start := time.Now()
	f()
	h.count(time.Since(start))
}

func (h *histogram) count(d time.Duration) {
	h.classes[class(uint64(d))]++
	h.n++
	h.longest = max(h.longest, d)
}

// class is the number of a duration's class: the exponent, and the five bits behind the first.
func class(d uint64) int {
	if d < 32 {
		return int(d)
	}
	shift := bits.Len64(d) - 6
	return shift*32 + int(d>>shift)
}

// least is the shortest duration of a class.
func least(class int) time.Duration {
	if class < 64 {
		return time.Duration(class)
	}
	shift := class/32 - 1
	return time.Duration(class-shift*32) << shift
}

// percentile returns the duration that a share p of the calls did not exceed, up to the width of a class.
func (h *histogram) percentile(p float64) time.Duration {
	left := int(float64(h.n) * p)
	for i, n := range h.classes {
		if left -= n; left < 0 {
			return max(1, least(i))
		}
	}
	return max(1, h.longest)
}
