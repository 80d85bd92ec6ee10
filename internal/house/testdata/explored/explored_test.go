package explored

import (
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

func TestCount(t *testing.T) {
	explore.Test(t, explore.Config{}, func(t *explore.T) {
		var n atomic.Int64
		t.Go("one", func() { n.Store(n.Load() + 1) })
		t.Go("two", func() { n.Store(n.Load() + 1) })
		t.Wait()
		if got := n.Load(); got != 2 {
			t.Errorf("got %d, want 2", got)
		}
	})
}
