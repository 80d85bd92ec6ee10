package search_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// A strategy aimed at the place of a failure finds it in at most half of an unaimed one's schedules.
func TestAimed(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	at := func(targets ...string) int {
		return needed(t, strategy.Aimed(strategy.Aim{Targets: targets}), crowd, engine.KindPanic)
	}
	plain, function, line := needed(t, strategy.Directed(), crowd, engine.KindPanic), at(reads), at(readsAt)
	if 2*function > plain || 2*line > plain {
		t.Errorf("got %d schedules unaimed, %d aimed at a function, %d aimed at a line; want at most half aimed", plain, function, line)
	}
	if other := at("example.com/bank.Put", "bank.go:18"); other > 2*plain {
		t.Errorf("got %d schedules aimed at a missing place, want at most twice %d", other, plain)
	}
}

// A strategy aimed at the wait of a deadlock holds goroutines there, for each of its known
// callers. It needs at most half of the schedules.
func TestAimedAtWaits(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	aim := strategy.Aim{Targets: []string{takes + "\n" + forth, takes + "\n" + back}, Waiting: true}
	plain, aimed := needed(t, strategy.Directed(), ordered, engine.KindDeadlock), needed(t, strategy.Aimed(aim), ordered, engine.KindDeadlock)
	if 2*aimed > plain {
		t.Errorf("got %d schedules unaimed, %d aimed; want at most half aimed", plain, aimed)
	}
}

// If goroutines can wait for each other at all where they have waited, the first schedule does it.
func TestAimedAtAllWaits(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	aim := strategy.Aim{Targets: []string{takes + "\n" + round}, Waiting: true}
	if n := needed(t, strategy.Aimed(aim), circle, engine.KindDeadlock); n != seeds {
		t.Errorf("got %d schedules for %d seeds, want one for each", n, seeds)
	}
}

// Once the place of a panic is known, schedules hold goroutines just before it: at most half as
// many are needed.
func TestAimedAtPanic(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	aim := strategy.Aim{Targets: []string{enters}}
	plain, aimed := needed(t, strategy.Directed(), closing, engine.KindPanic), needed(t, strategy.Aimed(aim), closing, engine.KindPanic)
	if 2*aimed > plain {
		t.Errorf("got %d schedules unaimed, %d aimed; want at most half aimed", plain, aimed)
	}
}

// needed returns how many schedules a strategy needs for a failure, summed over the seeds.
func needed(t *testing.T, s schedule.Strategy, body func(*engine.T), kind engine.Kind) (n int) {
	t.Helper()
	for seed := range uint64(seeds) {
		cfg := search.Config{Name: t.Name(), Seed: seed + 1, Minimise: -1, Plan: []schedule.Stage{{Strategy: s, Schedules: 300}}}
		r := run(t, cfg, body)
		if r.Failure == nil || r.Failure.Kind != kind {
			t.Errorf("seed %d: got %s, want %s", seed+1, r.Summary(), kind)
		}
		n += r.Schedules
	}
	return n
}

// seeds is how many searches of each kind are compared: of ten the sums say little.
const seeds = 60

// ordered takes two of many locks in both orders. One goroutine does so late in its run.
func ordered(t *engine.T) {
	var locks [5]sync.Mutex
	for i := range 3 {
		t.Go(fmt.Sprint("other ", i), func() {
			for range 5 {
				both(&locks[2+i], &locks[4])
			}
		})
	}
	t.Go("forth", func() { goForth(&locks) })
	t.Go("back", func() { goBack(&locks) })
	t.Wait()
}

func goForth(locks *[5]sync.Mutex) {
	for range 4 {
		both(&locks[0], &locks[2])
	}
	both(&locks[0], &locks[1])
}

func goBack(locks *[5]sync.Mutex) {
	both(&locks[1], &locks[0])
}

// circle takes each of five locks with the next one, beside goroutines that do something else.
func circle(t *engine.T) {
	var locks [7]sync.Mutex
	for i := range 3 {
		t.Go(fmt.Sprint("other ", i), func() {
			for range 5 {
				both(&locks[5], &locks[6])
			}
		})
	}
	for i := range 5 {
		t.Go(fmt.Sprint("taker ", i), func() { goRound(&locks, i) })
	}
	t.Wait()
}

func goRound(locks *[7]sync.Mutex, i int) {
	both(&locks[i], &locks[(i+1)%5])
}

// closing lets goroutines enter until it is closed, and locks it if several have entered.
func closing(t *engine.T) {
	var d door
	for i := range 3 {
		t.Go(fmt.Sprint("other ", i), func() {
			for range 8 {
				func() { d.other.Lock(); defer d.other.Unlock() }()
			}
		})
	}
	for i := range 3 {
		t.Go(fmt.Sprint("guest ", i), func() {
			enter(&d)
			enter(&d)
		})
	}
	t.Go("closer", func() {
		d.closed.Store(true)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.locked = d.guests > 1
	})
	t.Wait()
}

type door struct {
	mu, other sync.Mutex
	closed    atomic.Bool
	guests    int
	locked    bool
}

func enter(d *door) {
	if d.closed.Load() {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.guests++; d.locked {
		panic("locked")
	}
}

// both takes two locks, the second one in the line of takes.
//
//go:noinline
func both(a, b *sync.Mutex) {
	if a == b {
		return
	}
	a.Lock()
	defer a.Unlock()
	b.Lock()
	defer b.Unlock()
}

// The frames of a deadlock, in the format of a log.
var (
	takes = frameOf(both, 6)
	forth = frameOf(goForth, 4)
	back  = frameOf(goBack, 1)
	round = frameOf(goRound, 1)
)

// enters is the file and line where enter panics.
var _, enters, _ = strings.Cut(frameOf(enter, 7), " ")

// frameOf returns the name of f, and the file and line that many lines below its first.
func frameOf(f any, below int) string {
	at := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	file, line := at.FileLine(at.Entry())
	return fmt.Sprintf("%s %s:%d", at.Name(), filepath.Base(file), line+below)
}

// crowd has nine goroutines that set two numbers, one that reads them, and three others.
func crowd(t *engine.T) {
	var a, b atomic.Int64
	var n [9]atomic.Int64
	for i := range 3 {
		t.Go(fmt.Sprint("other ", i), func() { others(&n) })
	}
	for i := range 9 {
		t.Go(fmt.Sprint("setter ", i), func() {
			a.Store(1)
			b.Store(1)
		})
	}
	t.Go("reader", func() { read(&a, &b) })
	t.Wait()
}

// read panics between two sets. It reads the second number in the line of readsAt.
func read(a, b *atomic.Int64) {
	first := a.Load()
	second := b.Load()
	if first != second {
		panic("seen")
	}
}

// reads is the name of read, and readsAt is the file and line of its second load.
var reads, readsAt, _ = strings.Cut(frameOf(read, 2), " ")

func others(n *[9]atomic.Int64) {
	for range 3 {
		n[0].Add(n[0].Load())
		n[1].Add(n[1].Load())
		n[2].Add(n[2].Load())
		n[3].Add(n[3].Load())
		n[4].Add(n[4].Load())
		n[5].Add(n[5].Load())
		n[6].Add(n[6].Load())
		n[7].Add(n[7].Load())
		n[8].Add(n[8].Load())
	}
}
