package explore_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// The handle's accesses to a goroutine's stack do not race with those of the goroutine, and
// hide no race of the goroutine.
func TestHandleAndRaces(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Handle() {
		t.Run(b.Name, func(t *testing.T) { judged(t, b) })
	}
}
