// Package testrun has the two simplest runners of bodies, for the tests of the catalogue and of the canaries: [Sequential]
// starts each goroutine when the previous one has ended, [Plain] starts them at once. Neither explores anything.
package testrun

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/jacquard-go/jacquard/races"
)

// Host is what a runner needs of its test. *testing.T implements it.
type Host interface {
	Context() context.Context
	TempDir() string
	Cleanup(func())
	Name() string
}

var (
	_ races.T = (*Sequential)(nil)
	_ races.T = (*Plain)(nil)
)

// record keeps what a body reports. It is safe for concurrent use; read its lists only after the body has ended.
type record struct {
	Failures []string // of assertions, in order; written under mu
	Steps    []string // that were logged, in order; written under mu

	mu sync.Mutex
}

// Helper does nothing: failures are kept without their place.
func (r *record) Helper() {}

// Logf keeps a step.
func (r *record) Logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Steps = append(r.Steps, fmt.Sprintf(format, args...))
}

// Errorf keeps a failure.
func (r *record) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Failures = append(r.Failures, fmt.Sprintf(format, args...))
}

// Fatalf keeps a failure and ends the calling goroutine.
func (r *record) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// alone runs f, which may end its goroutine, on a new goroutine, and waits for that goroutine.
func alone(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// Sequential runs the goroutines of a body one after another, when the body waits for them.
type Sequential struct {
	Host
	record
	Reverse bool // start the last one first

	started []func()
}

// Run runs a body and returns its error.
func (s *Sequential) Run(body races.Body) (err error) {
	alone(func() { err = body(s) })
	return err
}

// Go keeps f until Wait.
func (s *Sequential) Go(_ string, f func()) { s.started = append(s.started, f) }

// Wait runs the functions that Go has kept.
func (s *Sequential) Wait() {
	if s.Reverse {
		slices.Reverse(s.started)
	}
	for _, f := range s.started {
		alone(f)
	}
	s.started = nil
}

// Plain runs the goroutines of a body under the Go scheduler.
type Plain struct {
	Host
	record

	waiting sync.WaitGroup
}

// Run runs a body and returns its error.
func (p *Plain) Run(body races.Body) (err error) {
	alone(func() { err = body(p) })
	return err
}

// Go starts f.
func (p *Plain) Go(_ string, f func()) { p.waiting.Go(f) }

// Wait waits for the goroutines that Go has started.
func (p *Plain) Wait() { p.waiting.Wait() }
