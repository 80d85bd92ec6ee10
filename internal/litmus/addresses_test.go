package litmus_test

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// orders are the permutations of three things.
var orders = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// placed returns three channels whose addresses are in the given order.
func placed(order [3]int) (a, b, c chan int) {
	all := []chan int{make(chan int), make(chan int), make(chan int)}
	slices.SortFunc(all, func(x, y chan int) int {
		return cmp.Compare(reflect.ValueOf(x).Pointer(), reflect.ValueOf(y).Pointer())
	})
	return all[order[0]], all[order[1]], all[order[2]]
}

// Addresses, which differ between executions, do not affect outcomes. A select that waits
// for several channels locks them in the order of their addresses.
func TestSelectIsTheSameWhereverItsChannelsAre(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	bodies := map[string]func(a, b, c chan int) int{
		"receives": func(a, b, c chan int) int {
			go func() { a <- 1 }()
			select {
			case <-a:
				return 0
			case <-b:
			case <-a:
				return 1
			case <-c:
			}
			return -1
		},
		"sends": func(a, b, c chan int) int {
			got := make(chan int)
			go func() { got <- <-a }()
			select {
			case a <- 0:
			case b <- 2:
			case a <- 1:
			case c <- 2:
			}
			return <-got
		},
	}
	for name, body := range bodies {
		for first := range orders {
			for stride := 1; stride < len(orders); stride++ {
				n, took, reached := first, 0, [2]int{}
				cfg := explore.Config{
					Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 100}}, Workers: 1,
					Enough: func(explore.Result) bool { reached[took]++; return false },
				}
				r, err := explore.Run(context.Background(), cfg, func(*explore.T) {
					n += stride
					took = body(placed(orders[n%len(orders)]))
				})
				if err != nil || !r.Exhausted || reached[0] == 0 || reached[0] != reached[1] {
					t.Errorf("%s, from order %d by %d: got %v schedules with the two cases, at an end: %v, %v; want as many with the one as with the other", name, first, stride, reached, r.Exhausted, err)
				}
			}
		}
	}
}
