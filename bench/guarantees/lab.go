package guarantees

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// How long probes wait, in real time: there is no other way to detect that a library does nothing.
const (
	soon   = 1500 * time.Millisecond // for what must happen
	settle = 50 * time.Millisecond   // for callers to begin to wait
)

// An Object is a value that counts how often it is closed.
type Object struct {
	ID     int
	closed atomic.Int32
}

// Close implements io.Closer.
func (o *Object) Close() error {
	o.closed.Add(1)
	return nil
}

// A lab is the environment of a probe.
type lab struct {
	open   func() (peers.Cache[string, *Object], error)
	effort Effort
	c      peers.Cache[string, *Object]
	made   atomic.Int32
}

// fresh replaces the cache by a new one.
func (l *lab) fresh() error {
	c, err := l.open()
	if err != nil {
		return err
	}
	l.c = c
	l.made.Store(0)
	return nil
}

// object makes an object.
func (l *lab) object() *Object { return &Object{ID: int(l.made.Add(1))} }

// create is a creator.
func (l *lab) create(context.Context) (*Object, error) { return l.object(), nil }

// An answer is how a call ended.
type answer struct {
	o        *Object
	err      error
	panicked bool
	exited   bool // the calling goroutine ended
}

// kind returns an answer in a word.
func (a answer) kind() string {
	switch {
	case a.panicked:
		return "panic"
	case a.exited:
		return "exit"
	case errors.Is(a.err, peers.ErrNoValue):
		return "no reason"
	case a.err != nil:
		return "error"
	case a.o == nil:
		return "nil, nil"
	}
	return "value"
}

// ask calls GetOrCreate on a goroutine of its own.
func (l *lab) ask(ctx context.Context, key string, create func(context.Context) (*Object, error)) <-chan answer {
	ch := make(chan answer, 1)
	go func() {
		a := answer{exited: true}
		defer func() {
			if recover() != nil {
				a.panicked, a.exited = true, false
			}
			ch <- a
		}()
		a.o, a.err = l.c.GetOrCreate(ctx, key, create)
		a.exited = false
	}()
	return ch
}

// within receives what must come soon.
func within[T any](ch <-chan T) (v T, ok bool) {
	select {
	case v = <-ch:
		return v, true
	case <-time.After(soon):
		return v, false
	}
}

// done runs f on a goroutine of its own and returns a channel that is closed when f has returned.
func done(f func()) <-chan struct{} {
	ch := make(chan struct{})
	go func() {
		defer close(ch)
		f()
	}()
	return ch
}

// ended reports whether f returns soon.
func ended(f func()) bool {
	_, ok := within(done(f))
	return ok
}

// A gate is a creator that waits, and ignores its context if deaf.
type gate struct {
	l       *lab
	fail    func() (*Object, error) // how it ends; nil for an object
	started chan struct{}
	opened  chan struct{}
	ctx     atomic.Pointer[context.Context]
	calls   atomic.Int32
	made    atomic.Pointer[Object] // by the first call
	deaf    bool
}

func (l *lab) gate() *gate {
	return &gate{l: l, started: make(chan struct{}), opened: make(chan struct{}), deaf: true}
}

// create is a creator: the first call waits at the gate, later ones create at once.
func (g *gate) create(ctx context.Context) (*Object, error) {
	if g.calls.Add(1) > 1 {
		return g.l.object(), nil
	}
	o := g.l.object()
	g.made.Store(o)
	g.ctx.Store(&ctx)
	close(g.started)
	var end <-chan struct{}
	if !g.deaf {
		end = ctx.Done()
	}
	select {
	case <-g.opened:
	case <-end:
		return nil, ctx.Err()
	}
	if g.fail != nil {
		return g.fail()
	}
	return o, nil
}

// first starts the caller whose creator waits at the gate, and returns the channel of its answer once the creator runs.
func (g *gate) first(ctx context.Context, key string) <-chan answer {
	a := g.l.ask(ctx, key, g.create)
	<-g.started
	return a
}
