package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
)

// Process counts the users of engines. Each URL has Engines of its own, so that closing the last
// service on one URL closes nothing else.
//
// A Process is safe for concurrent use.
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

// use returns the engines of a URL, and counts the caller as a user until it calls release. It
// opens nothing. cfg is used only if the URL has no engines yet; later users share the first one's.
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

// release drops one use; the last one closes the engine. It closes without holding the lock, so
// that a slow database delays no other caller: a caller that uses the URL meanwhile gets a new
// engine.
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

// Len returns the number of engines.
func (p *Process) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.users)
}

// Migrated returns the engine of url, with its schema up to date, from engines or, if they are nil,
// from p. close must be called when it is no longer used.
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
