package search_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/search"
)

// Garbage collections do not change an execution's course or the order of its findings,
// whenever they come.
func TestGarbage(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, body := range programs.Garbage() {
		t.Run(name, func(t *testing.T) {
			if err := search.Collecting(small(name), 30, body); err != nil {
				t.Error(err)
			}
		})
	}
}
