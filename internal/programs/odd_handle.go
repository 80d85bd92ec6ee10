package programs

import (
	"fmt"

	"github.com/jacquard-go/jacquard/explore"
)

// Handle returns programs that use their handle (T) on a stack that they have
// written before. The race detector attributes a handle's accesses to the controller.
func Handle() []Program {
	return []Program{
		{"handle on a used stack", explore.Holds, "", func(t *explore.T) {
			for i := range 2 {
				t.Go(fmt.Sprint("user ", i), func() { useStack(); useHandle(t); useStack() })
			}
			t.Wait()
		}},
		{"handle on a stack that grows", explore.Holds, "", func(t *explore.T) {
			for i := range 2 {
				t.Go(fmt.Sprint("user ", i), func() {
					for range i + 1 {
						grow(100, func() { useStack(); useHandle(t) })
					}
				})
			}
			t.Wait()
		}},
		{"race around a handle", explore.Violated, explore.KindRace, func(t *explore.T) {
			var shared int
			for i := range 2 {
				t.Go(fmt.Sprint("user ", i), func() {
					useHandle(t)
					useStack()
					shared += i
					useStack()
					useHandle(t)
				})
			}
			t.Wait()
		}},
	}
}

// useHandle makes the handle call the standard library, whose accesses the race
// detector sees.
func useHandle(t *explore.T) {
	t.TempDir()
	t.Log("in use")
}

// useStack writes to all of the stack below its caller that a handle could use.
//
//go:noinline
func useStack() {
	var words [1 << 10]int
	scribble(words[:])
}

//go:noinline
func scribble(words []int) {
	for i := range words {
		words[i] = i
	}
}

// grow calls f on a stack that is deeper by the given number of frames.
func grow(frames int, f func()) {
	var words [64]int
	scribble(words[:])
	if frames == 0 {
		f()
		return
	}
	grow(frames-1, f)
}
