package explore_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// What the handle does on a goroutine's stack does not race with what the goroutine has
// done there, and hides no race of the goroutine itself.
func TestHandleAndRaces(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Handle() {
		t.Run(b.Name, func(t *testing.T) { judged(t, b) })
	}
}
