// Package identifier makes the identifiers that package lifecycle and the packages below it use.
package identifier

import (
	"crypto/rand"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// Source makes ULIDs. Those of one source are strictly increasing, even if the clock is set back,
// so that sorting by identifier is sorting by creation. It is safe for concurrent use.
type Source struct {
	mu      sync.Mutex
	entropy io.Reader // guarded by mu
	last    ulid.ULID // the newest; guarded by mu
}

// NewSource returns a source that takes the random part from entropy, or from
// crypto/rand if that is nil.
func NewSource(entropy io.Reader) *Source {
	if entropy == nil {
		entropy = rand.Reader
	}
	return &Source{entropy: entropy}
}

// Next returns a new ULID for now, which must not be before 1970. If the last one has the same or a
// later millisecond, Next returns the one that follows it.
func (s *Source) Next(now time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := ulid.Timestamp(now)
	if s.last != (ulid.ULID{}) && ms <= s.last.Time() {
		if following, ok := following(s.last); ok {
			s.last = following
			return following.String(), nil
		}
		ms = s.last.Time() + 1
	}
	id, err := ulid.New(ms, s.entropy)
	if err != nil {
		return "", fmt.Errorf("lifecycle: new identifier: %w", err)
	}
	s.last = id
	return id.String(), nil
}

// following returns the next greater ULID of the same millisecond, if there is one.
func following(id ulid.ULID) (ulid.ULID, bool) {
	const times = 6 // bytes of the time, which come first
	for i := len(id) - 1; i >= times; i-- {
		if id[i]++; id[i] != 0 {
			return id, true
		}
	}
	return id, false
}
