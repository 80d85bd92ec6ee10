package search_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/search"
)

// The moments of garbage collections do not change the course of an execution, nor the
// order of its findings.
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
