package explore_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// The source and the destination of a copy are on one line but are two objects. A race on
// one of them names it, even if only a part is copied.
func TestRaceOfACopy(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		var node [4]byte
		id, out := []byte("abcd"), make([]byte, 8)
		t.Go("sets", func() { copy(node[:], id) })
		t.Go("reads", func() { copy(out[4:], node[:]) })
		t.Wait()
	})
	if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, " node at step ") || strings.Contains(cause, "id at") || strings.Contains(cause, " out") {
		t.Errorf("got the cause %q, want a race on node", cause)
	}
}
