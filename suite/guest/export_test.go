package guest

import (
	"time"

	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Watchdog returns how long a step may take in a process with the given request.
func Watchdog(q protocol.Request) (time.Duration, error) {
	cfg, err := (&item{guest: &guest{request: &q}}).config()
	return cfg.Watchdog, err
}

// Confirmed returns the event for a test that held, apart from one schedule whose failure
// allows no conclusion.
func Confirmed(q protocol.Request, suspect string) protocol.Event {
	it := &item{guest: &guest{request: &q}}
	return it.confirmed(protocol.Event{Verdict: verdict.Holds.String()}, &verdict.Result{Verdict: verdict.Holds, Suspect: suspect})
}
