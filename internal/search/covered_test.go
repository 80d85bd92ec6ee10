package search_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// Each of these bodies is explored exhaustively. The listing must have exactly the
// requirements that no schedule can meet.
var coveredBodies = []struct {
	name   string
	body   func(*engine.T)
	missed []string // requirements
	both   int      // pairs that come in both orders; no pair comes in only one
}{
	{"a lock that two want", func(t *engine.T) {
		var mu sync.Mutex
		n := 0
		t.Go("one", func() { mu.Lock(); n++; mu.Unlock() })
		t.Go("two", func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
		t.Wait()
	}, nil, 1},
	{"a lock that one wants", func(t *engine.T) {
		var mu sync.Mutex
		var n atomic.Int32
		t.Go("one", func() { mu.Lock(); n.Add(1); mu.Unlock() })
		t.Go("two", func() { n.Load() })
		t.Wait()
	}, []string{"this Lock was never contended"}, 1},
	{"a lock that one wants to read and one to write", func(t *engine.T) {
		var mu sync.RWMutex
		n := 0
		t.Go("one", func() { mu.Lock(); n++; mu.Unlock() })
		t.Go("two", func() {
			mu.RLock()
			_ = n
			mu.RUnlock()
		})
		t.Wait()
	}, nil, 1},
	{"a lock that two want to read", func(t *engine.T) {
		var mu sync.RWMutex
		n := 0
		t.Go("one", func() { mu.RLock(); _ = n; mu.RUnlock() })
		t.Go("two", func() {
			mu.RLock()
			_ = n
			mu.RUnlock()
		})
		t.Wait()
	}, []string{"this RLock was never contended"}, 0},
	{"a lock after another one", func(t *engine.T) {
		var mu sync.RWMutex
		n, done := 0, make(chan bool)
		t.Go("one", func() {
			mu.Lock()
			n++
			mu.Unlock()
			close(done)
		})
		<-done
		mu.RLock()
		_ = n
		mu.RUnlock()
	}, []string{"this Lock was never contended", "this RLock was never contended"}, 1},
	{"attempts", func(t *engine.T) {
		var mu sync.Mutex
		var rw sync.RWMutex
		t.Go("one", func() {
			if mu.TryLock() {
				mu.Unlock()
			}
			if rw.TryLock() {
				rw.Unlock()
			}
		})
		if mu.TryLock() {
			mu.Unlock()
		}
		if rw.TryRLock() {
			rw.RUnlock()
		}
		t.Wait()
		if !mu.TryLock() {
			return
		}
		if first, second := rw.TryRLock(), rw.TryRLock(); first != second {
			return
		}
		if !rw.TryLock() && !rw.TryRLock() {
			return
		}
		mu.Unlock()
	}, []string{"this TryLock never failed", "this TryLock never succeeded", "this TryRLock never failed"}, 0},
	{"comparisons", func(t *engine.T) {
		var n atomic.Int32
		var b atomic.Bool
		t.Go("one", func() { n.CompareAndSwap(0, 1) })
		n.CompareAndSwap(0, 2)
		t.Wait()
		b.CompareAndSwap(false, true)
		b.CompareAndSwap(false, true)
	}, []string{"this CompareAndSwap never failed", "this CompareAndSwap never succeeded"}, 1},
	// The order is the same whether the operations block or not.
	{"a channel with room", func(t *engine.T) {
		c := make(chan int, 1)
		t.Go("one", func() { c <- 1 })
		<-c
		t.Wait()
	}, nil, 0},
	{"a channel without", func(t *engine.T) {
		c := make(chan int)
		t.Go("one", func() { c <- 1 })
		<-c
		t.Wait()
	}, nil, 0},
	{"a select", func(t *engine.T) {
		a, b, never := make(chan int), make(chan int, 1), make(chan int)
		outer, over := context.WithCancel(context.Background())
		defer over()
		ctx, cancel := context.WithCancel(outer) // it checks whether outer is done
		defer cancel()
		t.Go("one", func() { a <- 1 })
		for range 2 {
			select {
			case b <- 1:
			case never <- 2:
			case <-a:
			case <-ctx.Done():
				return
			}
		}
		t.Wait()
	}, []string{"case <-ctx.Done() was never chosen: this time limit never fired", "case never <- 2 was never chosen"}, 0},
	{"a select with a default", func(t *engine.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		t.Go("one", func() { a <- 1 })
		select {
		case <-a:
		default:
		}
		select {
		case b <- 1:
		default:
		}
		select {
		case <-b:
		case <-a:
		default:
		}
		t.Wait()
	}, []string{"the default of this select was never chosen"}, 0},
	{"a group, and one that is done", func(t *engine.T) {
		var wg, done sync.WaitGroup
		wg.Go(func() {})
		wg.Wait()
		done.Wait()
	}, []string{"this Wait never waited"}, 0},
	{"a condition", func(t *engine.T) {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		ready := false
		t.Go("one", func() {
			mu.Lock()
			ready = true
			mu.Unlock()
			c.Signal()
			c.Broadcast()
		})
		mu.Lock()
		for !ready {
			c.Wait()
		}
		mu.Unlock()
		t.Wait()
	}, []string{"this Broadcast never met anybody who waits"}, 1}, // the Signal met one
	{"a Once that races, and one that does not", func(t *engine.T) {
		var once, alone sync.Once
		t.Go("one", func() { once.Do(func() {}) })
		once.Do(func() {})
		alone.Do(func() {})
		t.Wait()
	}, []string{"this Once never raced"}, 0},
	{"a timer that is stopped in time", func(t *engine.T) {
		limit := time.NewTimer(time.Hour)
		t.Go("one", func() { limit.Stop() })
		t.Wait()
	}, []string{"this Stop never came too late: the time limit never fired"}, 0},
	{"one that is ordered", func(t *engine.T) {
		var n atomic.Int32
		n.Store(1)
		t.Go("one", func() { n.Add(1) })
		t.Wait()
		n.Load()
	}, nil, 0},
}

func TestCovered(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range coveredBodies {
		t.Run(c.name, func(t *testing.T) {
			r, listing := runCovered(t, 5000, c.body)
			if !r.Unbounded && r.Points > 0 {
				t.Fatalf("got %+v, want it exhausted", r)
			}
			if got := missed(listing); !slices.Equal(got, c.missed) {
				t.Errorf("not covered: got %q, want %q\n%s", got, c.missed, listing.Text("covered", here, filepath.Base))
			}
			for _, op := range listing.Operations {
				if op.Kind == coverage.Wait && op.Times != r.Schedules {
					t.Errorf("%+v: got %d times, want %d", op.Spot, op.Times, r.Schedules)
				}
			}
			pairs := listing.Pairs()
			ways := coverage.OneWays(pairs)
			if both := len(pairs) - len(ways); len(ways) != 0 || both != c.both {
				t.Errorf("got %d pairs in both orders and %v in one, want %d and none", both, ways, c.both)
			}
		})
	}
}

// A requirement that one schedule did not meet is listed, even if others would meet it.
func TestCoveredByOne(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	_, listing := runCovered(t, 1, func(t *engine.T) {
		var mu sync.Mutex
		n := 0
		t.Go("one", func() { mu.Lock(); n++; mu.Unlock() })
		mu.Lock()
		n++
		mu.Unlock()
		t.Wait()
	})
	ways := coverage.OneWays(listing.Pairs())
	if got, want := missed(listing), []string{"this Lock was never contended"}; !slices.Equal(got, want) || len(ways) != 1 || ways[0].Seen != 1 {
		t.Errorf("got %q and %v, want %q and a pair seen in one order", got, ways, want)
	}
}

func runCovered(t *testing.T, schedules int, body func(*engine.T)) (*verdict.Result, *coverage.Listing) {
	t.Helper()
	cfg := search.Config{Name: t.Name(), Plan: []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: schedules}}, Workers: 1}
	r, listing, err := search.RunCovered(t.Context(), cfg, body)
	if err != nil {
		t.Fatal(err)
	}
	return r, listing
}

// missed returns the requirements that were not met, without duplicates.
func missed(l *coverage.Listing) (all []string) {
	for _, r := range l.Requirements(here) {
		if r.Met == 0 {
			all = append(all, r.Missing)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// here reads a source file of this directory.
func here(file string) ([]byte, error) {
	return os.ReadFile(strings.TrimPrefix(filepath.Base(file), "/"))
}
