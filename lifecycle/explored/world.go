package explored

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// services is how many services are open on one database.
const services = 2

// A Store is a kind of store that services can be opened on.
type Store struct {
	Name     string
	Services int  // how many are open on it
	Units    bool // whether it supports units of work
	Closes   bool // whether closing one of its services waits for calls under way, or has no visible effect on them
	file     bool
	url      string
}

// Stores returns the kinds of store that can be explored: memory without a database, an in-memory database that two
// services share through its URL alone, and a file on which each of two services has an engine of its own.
func Stores() []Store {
	return []Store{
		{Name: "memory", Services: 1, Closes: true},
		{Name: "sqlite-memory", Services: services, Units: true, url: "sqlite:///:memory:"},
		{Name: "sqlite-file", Services: services, Units: true, Closes: true, file: true},
	}
}

// A world is the services on one store, for one execution.
type world struct {
	services []*lifecycle.Service
	engines  []*lifecycle.Engines // on a file: first that of the units of work, then that of each service
	url      string
}

// open opens the services. A file starts with content.
func (s Store) open(dir string, content []byte) (*world, error) {
	w := &world{url: s.url}
	if s.file {
		path := filepath.Join(dir, "plans.db")
		w.url = "sqlite:///" + path
		if content != nil {
			if err := os.WriteFile(path, content, 0o600); err != nil {
				return nil, fmt.Errorf("write the file: %w", err)
			}
		}
	}
	for n := 0; s.file && n <= s.Services; n++ {
		engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		w.engines = append(w.engines, engines)
	}
	for n := range s.Services {
		cfg := lifecycle.Config{URL: w.url, Clock: now, Entropy: entropy{}}
		if s.file {
			cfg.Engines = w.engines[n+1]
		}
		service, err := lifecycle.Open(context.Background(), cfg)
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		w.services = append(w.services, service)
	}
	return w, nil
}

// work returns a unit of work. On a file it uses an engine of its own, as another process would.
func (w *world) work(service int) (*lifecycle.UnitOfWork, error) {
	if len(w.engines) > 0 {
		return lifecycle.NewUnitOfWork(w.engines[0], w.url), nil
	}
	return w.services[service].UnitOfWork()
}

// close closes the services and engines.
func (w *world) close() error {
	var errs []error
	for _, s := range w.services {
		if err := s.Close(); !errors.Is(err, lifecycle.ErrClosed) { // a call of the scenario may have closed it
			errs = append(errs, err)
		}
	}
	for _, e := range w.engines {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// prepare makes the calls of a scenario's beginning, in order, on the services and on the model.
func (w *world) prepare(calls []*Call) (state, error) {
	begin := newState()
	for _, c := range calls {
		var want Answer
		got := w.apply(c)
		if begin, want = step(begin, c); got.Err != nil || want.Err != nil {
			return state{}, fmt.Errorf("%v: got error %w, the model says %v", c, got.Err, want.Err)
		}
	}
	return begin, nil
}

// Trusted returns the packages whose inner synchronisation is not explored: the database driver and its layers.
func Trusted() []string {
	return []string{"database/sql/...", "modernc.org/...", "github.com/pressly/goose/..."}
}

// entropy reads the runtime's random numbers, which the explorer seeds. It needs no lock, and so orders no goroutines.
type entropy struct{}

// Read fills p.
func (entropy) Read(p []byte) (int, error) {
	var word [8]byte
	for i := 0; i < len(p); i += len(word) {
		binary.LittleEndian.PutUint64(word[:], rand.Uint64())
		copy(p[i:], word[:])
	}
	return len(p), nil
}

// fail reports a failure of the set-up as inconclusive.
func fail(t *explore.T, err error) { t.Inconclusive("set-up: %v", err) }
