package engine

import (
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/system"
)

// watch gives up on a step that takes longer than Config.Watchdog, until stop is called.
func (x *Engine) watch() (stop func()) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	left := system.NewPatience(x.Settings.Watchdog)
	// Not in the goroutine: the first ticker of a process does a lookup under a lock,
	// for which a task might have to wait.
	tick := time.NewTicker(left.Look())
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
				last, left = now, system.NewPatience(x.Settings.Watchdog)
			} else if left.Over() && control.Stall(now) {
				return
			}
		}
	})
	return func() {
		close(done)
		ended.Wait()
	}
}
