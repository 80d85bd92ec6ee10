package stress

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/races"
)

var _ races.T = (*handle)(nil)

// handle is the [races.T] of one round. Steps are not kept, and mutexes are used only to register goroutines, folders,
// clean-ups and failures: a lock would order the goroutines of the body, and so hide data races.
type handle struct {
	name   string
	dir    string // of the job
	ctx    context.Context
	cancel context.CancelFunc

	open    atomic.Bool // the goroutines may begin; set by Wait
	started atomic.Int64
	ready   atomic.Int64
	all     sync.WaitGroup
	alive   []*bool // one per goroutine, which alone writes it; appended to under mu

	mu       sync.Mutex
	delays   stagger  // used under mu
	failures []string // written under mu
	cleanups []func() // written under mu
	dirs     []string // written under mu
	trouble  error    // written under mu
}

func newHandle(ctx context.Context, name, dir string, rng *rand.Rand) *handle {
	h := &handle{name: name, dir: dir, delays: newStagger(rng)}
	h.ctx, h.cancel = context.WithCancel(ctx)
	return h
}

// run runs a body on its own goroutine, which the body may end, and then the clean-ups. It returns the body's error, or
// one about its folders.
func (h *handle) run(body races.Body) (err error) {
	defer h.cancel()
	alone(func() {
		defer h.cleanUp()
		err = body(h)
	})
	err = errors.Join(err, h.trouble)
	for _, dir := range h.dirs {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// cleanUp waits for the goroutines that the body did not wait for, and runs its clean-ups.
func (h *handle) cleanUp() {
	h.Wait()
	for _, f := range slices.Backward(h.cleanups) {
		f()
	}
}

// counts returns how many goroutines were started, and how many of them have returned. A body that has started none
// counts as one.
func (h *handle) counts() Counts {
	if len(h.alive) == 0 {
		return Counts{Operations: 1, Successes: 1}
	}
	c := Counts{Operations: int64(len(h.alive))}
	for _, alive := range h.alive {
		if !*alive {
			c.Successes++
		}
	}
	return c
}

// alone runs f on its own goroutine, which f may end, and waits for it.
func alone(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// Helper does nothing: failures are recorded without their place.
func (h *handle) Helper() {}

// Logf does nothing.
func (h *handle) Logf(string, ...any) {}

// Errorf records a failure.
func (h *handle) Errorf(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures = append(h.failures, fmt.Sprintf(format, args...))
}

// Fatalf records a failure and ends the calling goroutine.
func (h *handle) Fatalf(format string, args ...any) {
	h.Errorf(format, args...)
	runtime.Goexit()
}

// Context returns a context that ends with the round.
func (h *handle) Context() context.Context { return h.ctx }

// TempDir makes a folder that is removed after the round. If that fails it ends the calling goroutine, and the round was
// not judged.
func (h *handle) TempDir() string {
	dir, err := tempIn(h.dir)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.trouble = fmt.Errorf("stress: %w", err)
		runtime.Goexit()
	}
	h.dirs = append(h.dirs, dir)
	return dir
}

// Cleanup registers f to run at the end of the round.
func (h *handle) Cleanup(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cleanups = append(h.cleanups, f)
}

// Name returns the cell's name.
func (h *handle) Name() string { return h.name }

// patience is how often a goroutine yields before it begins although Wait was not called, so that a body may start
// goroutines and meet them without calling Wait.
const patience = 1000

// Go starts f, which begins when Wait is called, together with the others.
func (h *handle) Go(_ string, f func()) {
	alive := true
	h.mu.Lock()
	delay := h.delays.next()
	h.alive = append(h.alive, &alive)
	h.mu.Unlock()
	h.started.Add(1)
	h.all.Go(func() {
		h.ready.Add(1)
		for i := 0; i < patience && !h.open.Load(); i++ {
			runtime.Gosched()
		}
		spin(delay)
		f()
		alive = false
	})
}

// Wait lets the goroutines begin when all of them are ready, and waits for them.
func (h *handle) Wait() {
	for i := 0; i < patience && h.ready.Load() < h.started.Load(); i++ {
		runtime.Gosched()
	}
	h.open.Store(true)
	h.all.Wait()
	h.open.Store(false)
}
