package engine

import (
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// PlainT returns a handle for one run of a body without control.
func PlainT(h Host, name string) *T { return &T{host: h, name: name} }

// RunBody runs body, which may end the calling goroutine.
func RunBody(t *T, body func(*T)) { t.body(body) }

// EndOf returns what failed in a run that is over, and why nothing can be concluded
// from it, if so.
func EndOf(t *T) (failures []string, unknown string) {
	if t.gone() {
		failures = append(failures, goneText)
	}
	return append(failures, t.failures()...), t.unknown
}

// goneText is the failure of a body that ended without returning; see T.gone.
const goneText = "the body ended by runtime.Goexit, not by T.FailNow or T.SkipNow"

// A PlainHost is the host of a T without control.
type PlainHost struct {
	mu sync.Mutex
	TB testing.TB
}

func (h *PlainHost) Guard() func() {
	h.mu.Lock()
	return h.mu.Unlock
}

func (*PlainHost) naming(string)                  {}
func (*PlainHost) named()                         {}
func (*PlainHost) called(string)                  {}
func (h *PlainHost) tempDir() (string, error)     { return h.TB.TempDir(), nil }
func (*PlainHost) Logged(string, LogKind) *string { return nil }
func (*PlainHost) Caller() string                 { return "goroutine" }
func (*PlainHost) ended()                         {}
func (*PlainHost) joined()                        {}
func (*PlainHost) Noticed(schedule.Mode)          {}
