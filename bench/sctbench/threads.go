package sctbench

import (
	"slices"
	"sync"

	"github.com/jacquard-go/jacquard/explore"
)

// threads returns Inspect's programs, and SafeStack.
func threads() []Program {
	return []Program{
		{"Inspect/boundedBuffer", explore.KindDeadlock, boundedBuffer, Published{"5", "6", "4", "7", "6 (16)", "11"}},
		{"Inspect/qsort_mt", explore.KindDeadlock, parallelSort, Published{"186", "568", "338", "2307", "27", "–"}},
		check("SafeStack", safeStack, Published{"–", "–", "–", "–", "–", "–"}),
	}
}

// boundedBuffer has two producers and two consumers wait on one condition. It wakes one of
// them, which may be of the wrong kind.
func boundedBuffer(t *explore.T) {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	n := 0
	change := func(by int) func() {
		return func() {
			for range 2 {
				under(&mu, func() {
					for n+by < 0 || n+by > 1 {
						changed.Wait()
					}
					n += by
					changed.Signal()
				})
			}
		}
	}
	all(change(1), change(1), change(-1), change(-1))
}

// parallelSort is a quicksort that hands one half to an idle worker. A worker announces
// that it is idle before it waits for work, under another critical section than its check
// for work. Work handed over in between is lost.
func parallelSort(t *explore.T) {
	const workers = 2
	numbers := []int{5, 2, 8, 1, 9, 3}
	var mu sync.Mutex
	work := make([][]int, workers)
	idle := make([]bool, workers)
	wake := sync.NewCond(&mu)
	left := 0
	var sort func(part []int)
	give := func(part []int) bool {
		mu.Lock()
		defer mu.Unlock()
		i := slices.Index(idle, true)
		if i < 0 {
			return false
		}
		idle[i], work[i] = false, part
		left++
		wake.Broadcast()
		return true
	}
	sort = func(part []int) {
		if len(part) < 2 {
			return
		}
		last := len(part) - 1
		at := 0
		for i := range last {
			if part[i] < part[last] {
				part[i], part[at] = part[at], part[i]
				at++
			}
		}
		part[at], part[last] = part[last], part[at]
		if !give(part[:at]) {
			sort(part[:at])
		}
		sort(part[at+1:])
	}
	over := false
	worker := func(i int) func() {
		return func() {
			for {
				under(&mu, func() { idle[i] = true })
				var mine []int
				mu.Lock()
				for work[i] = nil; work[i] == nil && !over; {
					wake.Wait()
				}
				mine = work[i]
				mu.Unlock()
				if mine == nil {
					return
				}
				sort(mine)
				under(&mu, func() {
					left--
					wake.Broadcast()
				})
			}
		}
	}
	all(worker(0), worker(1), func() {
		sort(numbers)
		under(&mu, func() {
			for left > 0 {
				wake.Wait()
			}
			over = true
			wake.Broadcast()
		})
		if !slices.IsSorted(numbers) {
			t.Errorf("got %v, want them sorted", numbers)
		}
	})
}
