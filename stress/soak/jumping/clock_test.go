package jumping

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// A clock deviates by no more than its bound, and jumps once a period.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(rand.New(rand.NewPCG(1, 2)), time.Second)
		for range 100 {
			if off := time.Until(c.Now()); off.Abs() > farthest {
				t.Errorf("got %v off, want no more than %v", off, farthest)
			}
			time.Sleep(time.Second)
		}
		if got := c.Count(); got != 100 {
			t.Errorf("got %d jumps, want 100", got)
		}
	})
}
