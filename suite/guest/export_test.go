package guest

import (
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Stall is how long a step may take in a process that gets such a request.
func Stall(q protocol.Request) (time.Duration, error) {
	cfg, err := (&item{guest: &guest{request: &q}}).config()
	return cfg.Stall, err
}
