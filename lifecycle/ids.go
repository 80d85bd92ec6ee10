package lifecycle

import (
	"crypto/rand"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// idSource makes ULIDs. Those of one source are strictly increasing, also when
// the clock is set back, so that sorting by identifier is sorting by creation.
// It is safe for any number of goroutines.
type idSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy // guarded by mu
	last    uint64                 // milliseconds of the last ULID; guarded by mu
}

func newIDSource(entropy io.Reader) *idSource {
	if entropy == nil {
		entropy = rand.Reader
	}
	return &idSource{entropy: ulid.Monotonic(entropy, 0)}
}

// next returns a new ULID for the time now.
func (s *idSource) next(now time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := max(ulid.Timestamp(now), s.last)
	if now.Unix() < 0 || ms > ulid.MaxTime() {
		return "", fmt.Errorf("lifecycle: new identifier: the clock says %v, which no ULID can hold", now)
	}
	id, err := ulid.New(ms, s.entropy)
	if err != nil {
		return "", fmt.Errorf("lifecycle: new identifier: %w", err)
	}
	s.last = ms
	return id.String(), nil
}
