package report

import (
	"math/rand/v2"
	"testing"

	"github.com/jacquard-go/jacquard/internal/source"
)

// Contexts that lie side by side are told apart, and each is one, in whatever order
// their locks and values are used.
func TestContextsAreNamedOnce(t *testing.T) {
	const size, first = 96, 0x1000 // of a context under control, and where the first one is
	parts := []uintptr{16, 24, 48} // lock, channel and error
	for seed := range uint64(200) {
		o := &labels{known: make(map[uintptr]*label)}
		var of []int
		for n := range 3 {
			for range parts {
				of = append(of, n)
			}
		}
		for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(of)) {
			o.meet(first+uintptr(of[i])*size+parts[i%len(parts)], source.ContextFamily, "")
		}
		for i, n := range of {
			whole := o.known[first+uintptr(n)*size+parts[0]]
			if o.known[first+uintptr(n)*size+parts[i%len(parts)]] != whole || len(o.order) != 3 {
				t.Fatalf("seed %d: got %d contexts, want 3, each with its parts", seed, len(o.order))
			}
		}
	}
}
