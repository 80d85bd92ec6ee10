package stress

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// lanes runs rounds until a time, but at least one. A round has two or three goroutines, so as many rounds run side by
// side as keep all processors busy.
func (t *trial) lanes(ctx context.Context, until time.Time, round func(*handle) (Outcome, error)) {
	var lanes sync.WaitGroup
	for lane := range max(1, runtime.NumCPU()/2) {
		lanes.Go(func() {
			rng := generator(t.Seed, lane)
			for first := lane == 0; ctx.Err() == nil && (first || time.Now().Before(until)); first = false {
				n, ok := t.next(first)
				if !ok {
					return
				}
				if lane == 0 {
					shake(n, rng)
				}
				t.judge(n, newHandle(ctx, t.Subject, t.Dir, rng), round)
			}
		})
	}
	lanes.Wait()
}

// judge runs one round and counts its outcome.
func (t *trial) judge(n int64, h *handle, round func(*handle) (Outcome, error)) {
	o, err := round(h)
	if err != nil {
		t.giveUp(fmt.Errorf("round %d: %w", n, err))
	} else {
		t.observe(n, o)
	}
	counts := h.counts()
	t.count(n, counts, nil)
	t.sum("goroutines that returned", counts.Successes, counts.Operations)
	t.end(n)
}
