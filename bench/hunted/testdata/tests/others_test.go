package hunted

import "sync"

// busy has goroutines do what has nothing to do with the bug, as most of a larger test does.
func busy(wg *sync.WaitGroup) {
	var mu sync.Mutex
	done := 0
	for range 3 {
		wg.Go(func() {
			for range 8 {
				mu.Lock()
				done++
				mu.Unlock()
			}
		})
	}
}
