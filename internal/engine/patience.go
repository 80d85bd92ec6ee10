package engine

import (
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
)

// leastLooks is how often something has to be looked at, at least, before it is given
// up.
const leastLooks = 100

// shortLook is the shortest time between two looks that has to count in full.
const shortLook = time.Millisecond

// A patience is how long something may yet take, in real time. Between two looks
// little of it is lost, however long that is: a machine that stands still, or has
// no time for this process, has none for what is waited for either.
type patience struct {
	left, most time.Duration
	looked     time.Time
}

func newPatience(limit time.Duration) patience {
	return patience{left: limit, most: max(limit/leastLooks, shortLook), looked: time.Now()}
}

// over looks, and reports whether it has taken too long.
func (p *patience) over() bool {
	now := time.Now()
	p.left -= min(now.Sub(p.looked), p.most)
	p.looked = now
	return p.left <= 0
}

// watch gives up on a step that takes longer than Config.Watchdog, until stopped.
func (x *Engine) watch() (stop func()) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	left := newPatience(x.Settings.Watchdog)
	// Not in the goroutine: what the first ticker of a process looks up, under a lock,
	// a task may have to wait for.
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
