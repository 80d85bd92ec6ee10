package finals

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// ofTwins returns programs whose goroutines are alike when they begin, or nearly so. The
// latter have final states that a search would miss if it took those goroutines for alike.
func ofTwins() []Final {
	return []Final{
		{"three equal stores and a load", func(_ *explore.T, say func(func() string)) {
			var x atomic.Int32
			seen := int32(0)
			say(func() string { return fmt.Sprint(seen) })
			for range 3 {
				go func() { x.Store(1) }()
			}
			seen = x.Load()
		}},
		{"three who take from one channel", func(_ *explore.T, say func(func() string)) {
			var x atomic.Int32
			seen := int32(0)
			say(func() string { return fmt.Sprint(seen) })
			work := make(chan int, 3)
			for n := range 3 {
				work <- n
			}
			for range 3 {
				go func() {
					if <-work == 1 {
						x.Store(1)
					}
				}()
			}
			seen = x.Load()
		}},
		{"three who add under a lock", func(_ *explore.T, say func(func() string)) {
			var mu sync.Mutex
			n := 0
			say(func() string { return fmt.Sprint(n) })
			for range 3 {
				go func() {
					mu.Lock()
					n++
					mu.Unlock()
				}()
			}
		}},
		{"two of whom one wins", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var won, x atomic.Int32
			first, second := int32(0), int32(0)
			say(func() string { return fmt.Sprint(first, second) })
			for range 2 {
				wg.Go(func() {
					if won.CompareAndSwap(0, 1) {
						first = x.Load()
						return
					}
					second = x.Load()
				})
			}
			x.Store(1)
			wg.Wait()
		}},
		{"two who load, and store one more", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var x atomic.Int32
			say(func() string { return fmt.Sprint(x.Load()) })
			for range 2 {
				wg.Go(func() { x.Store(x.Load() + 1) })
			}
			wg.Wait()
		}},
		{"two who store what they were given", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var x atomic.Int32
			say(func() string { return fmt.Sprint(x.Load()) })
			for i := range int32(2) {
				wg.Go(func() { x.Store(i) })
			}
			wg.Wait()
		}},
		{"two with a variable each", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var x atomic.Int32
			var got [2]func() int32
			say(func() string { return fmt.Sprint(got[0](), got[1]()) })
			for i := range got {
				var mine int32
				got[i] = func() int32 { return mine }
				wg.Go(func() { mine = x.Add(1) })
			}
			wg.Wait()
		}},
		{"two with a store between", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var x, order atomic.Int32
			say(func() string { return fmt.Sprint(order.Load()) })
			for i := range int32(2) {
				x.Store(i)
				wg.Go(func() { order.Store(order.Load()*10 + x.Load()) })
			}
			wg.Wait()
		}},
		{"two who store, by two statements", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var x atomic.Int32
			say(func() string { return fmt.Sprint(x.Load()) })
			wg.Go(func() { x.Store(1) })
			wg.Go(func() { x.Store(2) })
			wg.Wait()
		}},
	}
}
