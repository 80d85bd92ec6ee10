package programs

import (
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/jacquard-go/jacquard/explore"
)

// Garbage returns bodies that leave garbage, each with a way in which it might observe
// when garbage is collected.
func Garbage() map[string]func(*explore.T) {
	return map[string]func(*explore.T){
		"timers that are due at once":    dueAtOnce,
		"a pool":                         pooling,
		"objects that are used for once": usedOnce,
		"variables on stacks":            onStacks,
		"a weak pointer":                 weakly(),
	}
}

// litter allocates channels and keeps some, so that later ones are allocated in the gaps
// between those.
func litter(n int) (kept []chan time.Time) {
	for i := range n {
		if c := make(chan time.Time, 1); i%7 == 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

// dueAtOnce waits for timers that are due at the same instant. Their addresses
// determine the order in which a select locks their channels.
func dueAtOnce(t *explore.T) {
	var first, others atomic.Int64
	for range 3 {
		t.Go("waits", func() {
			var kept []chan time.Time
			for range 6 {
				var timers [4]*time.Timer
				for i := range timers {
					kept = append(kept, litter(60)...)
					timers[i] = time.NewTimer(time.Millisecond)
				}
				select {
				case <-timers[0].C:
					first.Add(1)
				case <-timers[1].C:
					others.Add(1)
				case <-timers[2].C:
					others.Load()
				case <-timers[3].C:
					first.Load()
				}
			}
			if len(kept) == 0 {
				t.Error("nothing was kept")
			}
		})
	}
	t.Wait()
}

// pooling makes another one only if the pool is empty.
func pooling(t *explore.T) {
	var made atomic.Int64
	pool := sync.Pool{New: func() any { made.Add(1); return new([64]byte) }}
	for range 3 {
		t.Go("takes", func() {
			for range 4 {
				pool.Put(pool.Get())
				for range 8 {
					made.Load()
				}
			}
		})
	}
	t.Wait()
}

// usedOnce locks mutexes that it then drops, so that later ones reuse their addresses.
func usedOnce(t *explore.T) {
	var all sync.Mutex
	for range 3 {
		t.Go("locks", func() {
			for range 20 {
				var own sync.Mutex
				c := make(chan int, 1)
				own.Lock()
				c <- 1
				<-c
				own.Unlock()
			}
			all.Lock()
			defer all.Unlock()
		})
	}
	t.Wait()
}

// onStacks uses variables on its own stack, which moves when it grows, and when a
// collection shrinks it.
func onStacks(t *explore.T) {
	var all atomic.Int64
	for range 3 {
		t.Go("counts", func() {
			for range 3 {
				var own atomic.Int64
				own.Add(1)
				all.Add(deep(100))
				own.Add(1)
				all.Load()
			}
		})
	}
	t.Wait()
}

func deep(n int) int64 {
	var frame [128]byte
	if n == 0 {
		return int64(frame[n])
	}
	return deep(n-1) + int64(frame[n])
}

// weakly reuses the object that an earlier execution made, if it was not collected.
func weakly() func(*explore.T) {
	var mu sync.Mutex
	var known weak.Pointer[[64]byte]
	get := func(made *atomic.Int64) *[64]byte {
		mu.Lock()
		defer mu.Unlock()
		v := known.Value()
		if v == nil {
			v = new([64]byte)
			known = weak.Make(v)
			made.Add(1)
		}
		return v
	}
	return func(t *explore.T) {
		var made atomic.Int64
		v := get(&made)
		for range 2 {
			t.Go("gets", func() {
				if get(&made) != v {
					t.Error("got another one")
				}
			})
		}
		t.Wait()
		if n := made.Load(); n != 1 {
			t.Errorf("made %d, want 1", n)
		}
	}
}
