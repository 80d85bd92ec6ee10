package search_test

import (
	"runtime"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
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

// A single step that allocates more and more keeps no more memory than an execution may.
func TestGarbageOfOneStep(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var last []byte
	body := func(*engine.T) {
		for range 18 {
			last = make([]byte, 128<<20)
		}
	}
	if _, err := search.Survey(t.Context(), search.Config{Name: t.Name()}, body); err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapSys > 2<<30 || len(last) == 0 {
		t.Errorf("got %d MiB of heap, want at most 2 GiB", m.HeapSys>>20)
	}
}
