package lifecycle

import (
	"context"
	"errors"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
)

// process holds the engines that services without Config.Engines share. It is
// the one thing here that belongs to the process, for what it says is about the
// process: that it has one engine for each URL, and so one database for each
// in-memory URL (#3950). It is empty while no such service is open.
var process processEngines

// processEngines are engines that are counted by their users. Each URL has
// Engines of its own, so that closing the last service on one closes nothing
// else.
type processEngines struct {
	mu    sync.Mutex
	users map[string]*processEngine // by normalised URL; guarded by mu
}

// processEngine is the engine of one URL, from its first user to its last.
type processEngine struct {
	*Engines
	url  string
	uses int // guarded by processEngines.mu
}

// use returns the engines of a URL, and counts the caller as a user until it
// calls release. It opens nothing. Those who come later share what the first
// one brings: cfg is not looked at again.
func (p *processEngines) use(url databases.URL, cfg EnginesConfig) (*processEngine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.users[url.String()]
	if e == nil {
		engines, err := NewEngines(cfg)
		if err != nil {
			return nil, err
		}
		e = &processEngine{Engines: engines, url: url.String()}
		if p.users == nil {
			p.users = make(map[string]*processEngine)
		}
		p.users[e.url] = e
	}
	e.uses++
	return e, nil
}

// release gives one use back; the last one closes the engine. It is closed
// without the lock, so that a database that is slow to close holds up nobody:
// who asks meanwhile gets a new engine.
func (p *processEngines) release(e *processEngine) error {
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

// migrated returns the engine of url, with its schema up to date, from engines
// or, if they are nil, from the process's own. close gives it back.
func migrated(ctx context.Context, engines *Engines, url string, cfg EnginesConfig) (engine *Engine, close func() error, err error) {
	if engines != nil {
		engine, err = Migrate(ctx, engines, url)
		return engine, func() error { return nil }, err
	}
	u, err := databases.ParseURL(url)
	if err != nil {
		return nil, nil, err
	}
	own, err := process.use(u, cfg)
	if err != nil {
		return nil, nil, err
	}
	engine, err = Migrate(ctx, own.Engines, url)
	if err != nil {
		return nil, nil, errors.Join(err, process.release(own))
	}
	return engine, func() error { return process.release(own) }, nil
}
