package stress

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/jacquard-go/jacquard/races"
)

// runBody runs a race's body round after round. A body has two or three goroutines, so as many bodies run side by side as it takes to
// keep all processors busy.
func runBody(ctx context.Context, t *trial, body races.Body) {
	var lanes sync.WaitGroup
	for lane := range max(1, runtime.GOMAXPROCS(0)/2) {
		lanes.Go(func() {
			rng := generator(t.Seed, lane)
			for ctx.Err() == nil {
				round, ok := t.next()
				if !ok {
					return
				}
				h := newHandle(ctx, t.Subject, t.Dir, rng)
				if err := h.run(body); err != nil {
					t.giveUp(fmt.Errorf("round %d: %w", round, err))
				}
				counts := h.counts()
				t.count(round, counts, h.failures)
				t.sum("goroutines that returned", counts.Successes, counts.Operations)
				t.end(round)
			}
		})
	}
	lanes.Wait()
	t.sum("rounds that were judged", t.ended.Load(), t.progress.rounds.Load())
}
