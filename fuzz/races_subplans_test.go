package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/races"
)

// What programs can do to the subjects of N6 and N9, and what must hold.

// playFailures notes failures of parts, an operation's own or one that all share, and reads them. A noted failure stays.
func playFailures(t *explore.T, subject races.Subject) play {
	s := subject.(races.Failures)
	var mu sync.Mutex
	noted := make(map[string]bool)
	look := func() {
		mu.Lock()
		want := slices.Sorted(maps.Keys(noted))
		mu.Unlock()
		failed, err := s.Failed(t.Context())
		for _, part := range want {
			if err != nil || !slices.Contains(failed, part) {
				t.Errorf("got failures %[2]q, %[3]v, want %[1]s among them", part, failed, err)
			}
		}
	}
	fail := func(part string) {
		if err := s.Fail(t.Context(), part); err != nil {
			t.Errorf("note that %s has failed: got error %v, want none", part, err)
		}
		mu.Lock()
		defer mu.Unlock()
		noted[part] = true
	}
	own := func(by step) { fail(fmt.Sprint("part ", by.n)) }
	common := func(step) { fail("loom") }
	return play{2, []func(step){own, common, func(step) { look() }}, look}
}

// playParts runs the subplans, once. They do not change afterwards.
func playParts(t *explore.T, subject races.Subject) play {
	s := subject.(races.Parts)
	var work races.PartsWork
	var once sync.Once
	run := func(step) {
		once.Do(func() {
			parts, err := s.Run(t.Context(), work.Do)
			if err != nil {
				t.Errorf("run the subplans: got error %v, want none", err)
			}
			if wrong := work.Wrong(parts); wrong != "" {
				t.Errorf("%s", wrong)
			}
		})
	}
	return play{2, []func(step){run}, func() {}}
}
