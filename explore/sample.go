//go:build !jacquard_guest

package explore

import (
	"sync"
	"testing"
	"time"
)

// sampleTimeout bounds one run without control.
const sampleTimeout = 10 * time.Second

// sample runs body a number of times without control, and fails tb if a run
// fails or does not end.
func sample(tb testing.TB, cfg Config, body func(*T)) {
	tb.Helper()
	for i := range samples {
		host := &plainHost{tb: tb}
		t := &T{host: host, name: cfg.Name}
		done := make(chan struct{})
		go func() {
			defer close(done)
			t.body(body)
		}()
		select {
		case <-done:
		case <-time.After(sampleTimeout):
			tb.Fatalf("run %d, without control, did not end within %v", i+1, sampleTimeout)
		}
		if t.unknown != "" {
			tb.Fatalf("run %d, without control, could not be judged: %s", i+1, t.unknown)
		}
		if t.gone() {
			tb.Errorf("run %d, without control: the body ended by runtime.Goexit, not by T.FailNow or T.SkipNow", i+1)
		}
		for _, msg := range t.failures() {
			tb.Errorf("run %d, without control: %s", i+1, msg)
		}
		if tb.Failed() {
			return
		}
	}
}

// A plainHost is the host of a T that nobody controls.
type plainHost struct {
	mu sync.Mutex
	tb testing.TB
}

func (h *plainHost) guard() func() {
	h.mu.Lock()
	return h.mu.Unlock
}

func (*plainHost) named(string) {}

func (*plainHost) called(string) {}

func (h *plainHost) tempDir() (string, error) { return h.tb.TempDir(), nil }

func (*plainHost) logged(string, logKind) {}

func (*plainHost) ended() {}

func (*plainHost) joined() {}

func (*plainHost) noticed(Mode) {}
