package races

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/oklog/ulid/v2"
)

// runtimeEntropy is an endless reader of the Go runtime's random numbers. It needs no lock, so it does not order goroutines
// that the subject does not order. A runner that seeds the runtime's numbers for an execution determines these too.
type runtimeEntropy struct{}

// Read fills p. It never fails.
func (runtimeEntropy) Read(p []byte) (int, error) {
	var word [8]byte
	for i := 0; i < len(p); i += len(word) {
		binary.LittleEndian.PutUint64(word[:], rand.Uint64())
		copy(p[i:], word[:])
	}
	return len(p), nil
}

// newID returns a fresh ULID. It is safe for concurrent use. Its time is zero, so that only the random numbers determine it.
func newID() string {
	id := ulid.ULID{}
	_ = id.SetEntropy(entropy()) // fails only for a slice of another length than 10
	return id.String()
}

func entropy() []byte {
	e := make([]byte, 10)
	_, _ = runtimeEntropy{}.Read(e)
	return e
}
