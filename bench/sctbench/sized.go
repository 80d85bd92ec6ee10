package sctbench

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// sized returns the programs that exist in several sizes.
func sized() []Program {
	return []Program{
		check("CS/reorder_3", reorder(3), Published{"6", "5", "164", "124", "6", "46334 (18)"}),
		check("CS/reorder_4", reorder(4), Published{"5", "5", "642", "314", "9", "–"}),
		check("CS/reorder_5", reorder(5), Published{"5", "5", "4257 (17)", "954", "12", "–"}),
		check("CS/reorder_10", reorder(10), Published{"5", "5", "–", "1568", "27", "–"}),
		check("CS/reorder_20", reorder(20), Published{"5", "5", "–", "1304", "39", "–"}),
		check("CS/reorder_50", reorder(50), Published{"5", "5", "–", "14789 (7)", "129", "–"}),
		check("CS/reorder_100", reorder(100), Published{"5", "5", "–", "7447 (1)", "297", "–"}),
		check("CS/twostage", twostage(1), Published{"6", "8", "9", "7", "4", "168"}),
		check("CS/twostage_20", twostage(19), Published{"18", "16", "162", "146", "76", "–"}),
		check("CS/twostage_50", twostage(49), Published{"32", "78", "1696 (19)", "684", "286", "–"}),
		check("CS/twostage_100", twostage(99), Published{"25", "95", "–", "3125 (6)", "690", "–"}),
	}
}

// reorder has n goroutines that set one variable and then another. One more must find both
// set, or neither.
func reorder(n int) func(*explore.T) {
	return func(t *explore.T) {
		var a, b atomic.Int32
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				a.Store(1)
				b.Store(-1)
			})
		}
		wg.Go(func() {
			if x, y := a.Load(), b.Load(); (x != 0) != (y != 0) {
				t.Errorf("got %d and %d, want both or neither", x, y)
			}
		})
		wg.Wait()
	}
}

// twostage has n goroutines that set two variables, each under a lock of its own. One more
// must find the second one set if it has found the first.
func twostage(n int) func(*explore.T) {
	return func(t *explore.T) {
		var first, second struct {
			sync.Mutex
			value int
		}
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				first.Lock()
				first.value = 1
				first.Unlock()
				second.Lock()
				second.value = 2
				second.Unlock()
			})
		}
		wg.Go(func() {
			first.Lock()
			x := first.value
			first.Unlock()
			if x == 0 {
				return
			}
			second.Lock()
			y := second.value
			second.Unlock()
			if y != x+1 {
				t.Errorf("got %s, want the second stage after the first", fmt.Sprint(x, y))
			}
		})
		wg.Wait()
	}
}
