package explore

import (
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
)

// sampleTimeout bounds one run without control.
const sampleTimeout = 10 * time.Second

// sample runs body a number of times without control, and fails tb if a run
// fails or does not end.
func sample(tb testing.TB, cfg Config, body func(*T)) {
	tb.Helper()
	for i := range samples {
		host := &engine.PlainHost{TB: tb}
		t := engine.PlainT(host, cfg.Name)
		done := make(chan struct{})
		go func() {
			defer close(done)
			engine.RunBody(t, body)
		}()
		select {
		case <-done:
		case <-time.After(sampleTimeout):
			tb.Fatalf("run %d, without control, did not end within %v", i+1, sampleTimeout)
		}
		failures, unknown := engine.EndOf(t)
		if unknown != "" {
			tb.Fatalf("run %d, without control, could not be judged: %s", i+1, unknown)
		}
		for _, msg := range failures {
			tb.Errorf("run %d, without control: %s", i+1, msg)
		}
		if tb.Failed() {
			return
		}
	}
}
