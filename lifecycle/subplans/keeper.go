package subplans

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// keeping renews a claim until f returns. It ends the context of f when the claim is lost.
func (e *execution) keeping(ctx context.Context, claim lifecycle.Claim, f func(context.Context) error) error {
	ctx, lose := context.WithCancelCause(ctx)
	k := &keeper{service: e.Service, claim: claim, lease: e.Lease, lose: lose}
	k.start(ctx)
	defer k.stop()
	defer lose(nil) // runs before k.stop: ends a renewal under way
	return f(ctx)
}

// keeper renews a claim on a timer. A goroutine exists only during a renewal.
type keeper struct {
	service *lifecycle.Service
	claim   lifecycle.Claim
	lease   time.Duration
	lose    context.CancelCauseFunc

	mu      sync.Mutex // held during a renewal
	timer   *time.Timer
	stopped bool
}

func (k *keeper) start(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.timer = time.AfterFunc(k.lease/3, func() { k.renew(ctx) })
}

// renew extends the claim, and schedules the next renewal unless the claim is lost. If the database
// fails, it may be back before the claim is over.
func (k *keeper) renew(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stopped {
		return
	}
	_, err := k.service.Renew(ctx, k.claim, k.lease)
	if errors.Is(err, lifecycle.ErrClaimed) || errors.Is(err, lifecycle.ErrNotFound) { // taken over, or deleted
		k.lose(err)
		return
	}
	k.timer.Reset(k.lease / 3)
}

// stop waits for a renewal that is under way.
func (k *keeper) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stopped = true
	k.timer.Stop()
}
