package postgres

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// NewPatientBus is NewBus with an hour for the answer when a connection is tested,
// however short the heartbeat is.
func NewPatientBus(ctx context.Context, e *engine.Engine, cfg BusConfig) (*Bus, error) {
	return newBus(ctx, e, cfg, time.Hour)
}
