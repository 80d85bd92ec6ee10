package canary

import (
	"sync"

	"github.com/jacquard-go/jacquard/races"
)

func lockOrder(t races.T) error {
	var warp, weft sync.Mutex
	both := func(first, second *sync.Mutex) func() {
		return func() {
			first.Lock()
			defer first.Unlock()
			second.Lock()
			defer second.Unlock()
		}
	}
	t.Go("locks warp, then weft", both(&warp, &weft))
	t.Go("locks weft, then warp", both(&weft, &warp))
	t.Wait()
	return nil
}

func channelCycle(t races.T) error {
	warp, weft := make(chan struct{}), make(chan struct{})
	t.Go("sends warp, then receives weft", func() {
		warp <- struct{}{}
		<-weft
	})
	t.Go("sends weft, then receives warp", func() {
		weft <- struct{}{}
		<-warp
	})
	t.Wait()
	return nil
}

// goroutineLeak starts its goroutine with a plain go statement, so that nothing waits for it, as in real leaks.
func goroutineLeak(races.T) error {
	never := make(chan struct{})
	go func() { <-never }()
	return nil
}
