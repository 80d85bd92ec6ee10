package engine

import (
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
)

// leastLooks is the minimum number of looks at something before it is given
// up.
const leastLooks = 100

// shortLook is the shortest interval between two looks that counts in full.
const shortLook = time.Millisecond

// A patience is a real-time budget for waiting. A long interval between two looks costs
// little of it: while the machine is suspended, or too busy for this process, what is
// waited for makes no progress either.
type patience struct {
	left, most time.Duration
	looked     time.Time
}

func newPatience(limit time.Duration) patience {
	return patience{left: limit, most: max(limit/leastLooks, shortLook), looked: time.Now()}
}

// over charges the time since the last look, and reports whether the budget is used up.
func (p *patience) over() bool {
	now := time.Now()
	p.left -= min(now.Sub(p.looked), p.most)
	p.looked = now
	return p.left <= 0
}

// watch gives up on a step that takes longer than Config.Watchdog, until stop is called.
func (x *Engine) watch() (stop func()) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	left := newPatience(x.Settings.Watchdog)
	// Not in the goroutine: the first ticker of a process does a lookup under a lock,
	// for which a task might have to wait.
	tick := time.NewTicker(left.most)
	ended.Go(func() {
		defer tick.Stop()
		for last := control.Steps(); ; {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			now := control.Steps()
			if now != last {
				last, left = now, newPatience(x.Settings.Watchdog)
			} else if left.over() && control.Stall(now) {
				return
			}
		}
	})
	return func() {
		close(done)
		ended.Wait()
	}
}
