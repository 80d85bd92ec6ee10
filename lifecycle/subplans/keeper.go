package subplans

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// keeping renews a claim until f returns. The context of f ends when the claim is
// lost.
func (e *execution) keeping(ctx context.Context, claim lifecycle.Claim, f func(context.Context) error) error {
	ctx, lose := context.WithCancelCause(ctx)
	k := &keeper{service: e.Service, claim: claim, lease: e.Lease, lose: lose}
	k.start(ctx)
	defer k.stop()
	defer lose(nil) // first: a renewal that is under way ends with it
	return f(ctx)
}

// keeper renews a claim by a timer. There is no goroutine but while it does.
type keeper struct {
	service *lifecycle.Service
	claim   lifecycle.Claim
	lease   time.Duration
	lose    context.CancelCauseFunc

	mu      sync.Mutex // held while the claim is renewed
	timer   *time.Timer
	stopped bool
}

func (k *keeper) start(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.timer = time.AfterFunc(k.lease/3, func() { k.renew(ctx) })
}

// renew makes the claim last longer, and comes again unless it is lost. A database
// that fails may be back before it is over.
func (k *keeper) renew(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stopped {
		return
	}
	_, err := k.service.Renew(ctx, k.claim, k.lease)
	if errors.Is(err, lifecycle.ErrClaimed) || errors.Is(err, lifecycle.ErrNotFound) { // another's, or deleted
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
