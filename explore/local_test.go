package explore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// A program that sets time.Local has no race with the explorer, which opens this file for the names
// of what the program uses, nor with the explorer's tickers: the race detector, which cannot report
// what a timer reads, would end the process.
func TestSettingLocalIsNoRace(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	old := time.Local
	defer func() { time.Local = old }()
	r := run(t, small(t.Name()), func(t *explore.T) {
		var mu sync.Mutex
		pass := func() { mu.Lock(); defer mu.Unlock() }
		t.Go("sets", func() {
			for range 100_000 {
				time.Local = time.UTC
			}
			pass()
		})
		pass()
		t.Wait()
	})
	if r.Failure != nil || r.Verdict == explore.Unknown {
		t.Errorf("got %s, want no failure: %v", r.Summary(), r.Failure)
	}
}
