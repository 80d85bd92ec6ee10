package report

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/engine"
)

// A loop that looks at a channel thousands of times is told by its last looks: each is
// compared with all that comes after it.
func TestMissesAreBounded(t *testing.T) {
	p := &picture{ex: new(engine.Execution), rec: new(Recorder)}
	for range 100 * mostData {
		e := new(event)
		e.verb = selectVerb + ": default"
		p.rec.events = append(p.rec.events, e)
	}
	got := p.misses(false)
	if len(got) != mostData || got[0] != len(p.rec.events)-1 {
		t.Errorf("got %d looks, want the last %d", len(got), mostData)
	}
}
