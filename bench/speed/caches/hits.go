package caches

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// How keys are made from numbers: unchanged, and as strings of ten bytes.
func number(i int) int  { return i }
func text(i int) string { return "key" + strconv.Itoa(1_000_000+i) }

func hitRows() []Row {
	row := func(name string, measure func(context.Context, Config) ([]Result, error)) Row {
		return Row{Name: name, Unit: "ns", Digits: 1, measure: measure}
	}
	return []Row{
		row("hit, 1K int keys", hits(number, false, get)),
		row("hit, 1K string keys", hits(text, false, get)),
		row("hit by get-or-create, 1K int keys", hits(number, false, obtain)),
		row("hit by get-or-create, 1K string keys", hits(text, false, obtain)),
		row("hit, 1M int keys, Zipf", hits(number, true, get)),
		row("hit, 1M string keys, Zipf", hits(text, true, get)),
		row("hit by get-or-create, 1M int keys, Zipf", hits(number, true, obtain)),
		row("hit by get-or-create, 1M string keys, Zipf", hits(text, true, obtain)),
	}
}

// call says by which call a hit is made.
type call int

const (
	get    call = iota
	obtain      // get-or-create
)

// hits measures the time of a hit, and counts allocations in a note.
func hits[K comparable](key func(int) K, large bool, by call) func(context.Context, Config) ([]Result, error) {
	return func(ctx context.Context, cfg Config) ([]Result, error) {
		n, turn := small, cfg.Turn
		if large {
			n, turn = cfg.Large, max(1, cfg.Turn/4) // which take ten times as long
		}
		keys := make([]K, n)
		for i := range keys {
			keys[i] = key(i)
		}
		order := drawn(keys, max(turn, n), large)
		// Peers that do not allocate should not pay for the garbage of those that do.
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		lanes, done, err := hitLanes(keys, order, turn, by)
		defer done()
		if err != nil {
			return nil, err
		}
		return interleave(ctx, cfg.Rounds, lanes)
	}
}

func hitLanes[K comparable](keys, order []K, turn int, by call) (lanes []lane, done func(), err error) {
	var ends []func()
	done = func() {
		for _, end := range ends {
			end()
		}
	}
	for _, opened := range loopers[K]() {
		l, err := opened.open(keys)
		if err != nil {
			return nil, done, err
		}
		ends = append(ends, l.end)
		loop := l.get
		if by == obtain {
			loop = l.obtain
		}
		lanes = append(lanes, lane{opened.peer, func(round int) (float64, string, error) {
			from := round * turn % (len(order) - turn + 1)
			return timed(loop, order[from:from+turn])
		}})
	}
	runtime.GC()
	return lanes, done, nil
}

// timed returns the nanoseconds for each key of a loop.
func timed[K comparable](loop func([]K) int, keys []K) (float64, string, error) {
	before := mallocs()
	start := time.Now()
	missed := loop(keys)
	took := time.Since(start)
	after := mallocs()
	if missed > 0 {
		return 0, "", fmt.Errorf("speed: %d of %d keys were not there", missed, len(keys))
	}
	return float64(took.Nanoseconds()) / float64(len(keys)), allocations(after-before, len(keys)), nil
}

// allocations is a note on the allocations of n calls, "" if they made none. A few are the runtime's own.
func allocations(count uint64, n int) string {
	each := float64(count) / float64(n)
	if each < 0.05 {
		return ""
	}
	return strconv.FormatFloat(each, 'f', 1, 64) + " allocs"
}

// drawn returns n keys in the order in which they are asked for: all in turn, or by a Zipf distribution whose ranks are
// independent of the order in which the keys were inserted.
func drawn[K comparable](keys []K, n int, zipf bool) []K {
	order := make([]K, n)
	if !zipf {
		for i := range order {
			order[i] = keys[i%len(keys)]
		}
		return order
	}
	ranks := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.01, 1, uint64(len(keys)-1))
	rank := rand.New(rand.NewPCG(3, 4)).Perm(len(keys))
	for i := range order {
		order[i] = keys[rank[ranks.Uint64()]]
	}
	return order
}
