package postgres

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// NewPatientBus is NewBus with an hour for the answer of a connection that is tried
// out, however soon that is.
func NewPatientBus(ctx context.Context, e *engine.Engine, cfg BusConfig) (*Bus, error) {
	return newBus(ctx, e, cfg, time.Hour)
}
