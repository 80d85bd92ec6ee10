package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
)

// Process is engines that are counted by their users. Each URL has Engines of its
// own, so that closing the last service on one closes nothing else.
//
// A Process is safe for any number of goroutines.
type Process struct {
	open  Opener
	mu    sync.Mutex
	users map[string]*shared // by normalised URL; guarded by mu
}

// shared is the engine of one URL, from its first user to its last.
type shared struct {
	*Engines
	url  string
	uses int // guarded by Process.mu
}

// NewProcess returns a Process without engines.
func NewProcess(open Opener) *Process { return &Process{open: open, users: make(map[string]*shared)} }

// use returns the engines of a URL, and counts the caller as a user until it
// calls release. It opens nothing. Those who come later share what the first
// one brings: cfg is not looked at again.
func (p *Process) use(url databases.URL, cfg Config) (*shared, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.users[url.String()]
	if e == nil {
		engines, err := New(cfg, p.open)
		if err != nil {
			return nil, err
		}
		e = &shared{Engines: engines, url: url.String()}
		p.users[e.url] = e
	}
	e.uses++
	return e, nil
}

// release gives one use back; the last one closes the engine. It is closed
// without the lock, so that a database that is slow to close holds up nobody:
// who asks meanwhile gets a new engine.
func (p *Process) release(e *shared) error {
	p.mu.Lock()
	e.uses--
	last := e.uses == 0
	if last {
		delete(p.users, e.url)
	}
	p.mu.Unlock()
	if !last {
		return nil
	}
	return e.Close()
}

// Len is how many engines there are.
func (p *Process) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.users)
}

// Migrated returns the engine of url, with its schema up to date, from engines
// or, if they are nil, from the process's own. close gives it back.
func (p *Process) Migrated(ctx context.Context, engines *Engines, url string, cfg Config) (engine *Engine, close func() error, err error) {
	if engines != nil {
		engine, err = Migrated(ctx, engines, url)
		return engine, func() error { return nil }, err
	}
	u, err := databases.ParseURL(url)
	if err != nil {
		return nil, nil, err
	}
	own, err := p.use(u, cfg)
	if err != nil {
		return nil, nil, err
	}
	engine, err = Migrated(ctx, own.Engines, url)
	if err != nil {
		return nil, nil, errors.Join(err, p.release(own))
	}
	return engine, func() error { return p.release(own) }, nil
}
