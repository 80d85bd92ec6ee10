package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/identifier"
)

// Config configures a [Service]. The zero value is a service in memory.
type Config struct {
	// URL names the database of actions, plans and changesets. Empty means this service's memory,
	// without a database. See [Engines.Engine] for the forms of a URL.
	URL string

	// Engines provides the engine of the URL. Nil means the process's own: all services without
	// Engines share one engine per URL, and so one database per in-memory URL. The first of them
	// opens it, with the defaults of [EnginesConfig] and this Logger, and the last one to be closed
	// closes it. Separate Engines isolate: they share no memory with others.
	Engines *Engines

	// Clock returns the time. Nil means [time.Now]. Goroutines that call the service call it,
	// several at a time. It may jump, even back; a time outside the years 1970 to 9999 is an error.
	Clock func() time.Time

	// Entropy is the source of the random part of identifiers. Nil means crypto/rand. One goroutine
	// reads it at a time.
	Entropy io.Reader

	// OnChange, if not nil, is called after each committed change of a plan through this service,
	// by the goroutine that made it, with no lock held. Calls of several goroutines can be
	// concurrent and in any order; the versions of the plans give the order. See [Service.Events]
	// for changes by other services on the same database.
	OnChange func(Event)

	// Bus, if not nil, wakes followers of [Service.Events] of services with the same bus, in any
	// process: after each commit, before the call returns, a message with the plan's identifier is
	// published. Any message wakes them, including messages of other users of the bus. A failed
	// publication is only logged; followers then find the change within their Poll. Without a bus
	// they are woken only by changes through their own engine. See [Bus].
	Bus cache.Bus

	// Poll is how long [Service.Events] waits to be woken before it reads anyway. Zero means a
	// second. It must not be negative.
	Poll time.Duration

	// MaxAge is the greatest age of what [Service.Recent] returns, in real time. Zero turns
	// Recent's caches off. It must not be negative.
	MaxAge time.Duration

	// Count turns on [Service.Stats], at the cost of an atomic operation per read.
	Count bool

	// Logger logs changes and lost conflicts. Nil means no logging.
	Logger *slog.Logger
}

// Event is a committed change of a plan.
type Event struct {
	Command Command  // the command; CommandUseAction for a new plan
	From    Position // the plan's position before; action/available for a new plan
	Plan    Plan     // the plan after the change; the last one if it was deleted
}

// Service is the plan lifecycle service. Open makes one.
//
// A Service is safe for concurrent use, and any number of services, in any number of processes, may
// be open on one database. Each of its methods either takes effect at one moment between its call
// and its return, or returns an error and changes nothing. A method returns the latest committed
// state at such a moment: a call that begins after another one has returned, in any process, sees
// that one's changes.
//
// A context bounds every wait for locks and for other goroutines; a statement on SQLite that has
// begun is completed, one on PostgreSQL is aborted.
type Service struct {
	store    store
	recent   recent       // nil without Config.MaxAge, and in memory
	counters *counters    // nil without Config.Count
	engine   *Engine      // nil in memory
	giveBack func() error // releases the use of engine; nil in memory
	clock    func() time.Time
	ids      *identifier.Source
	onChange func(Event)
	bell     *engine.Bell // rings for changes through the engine, and when this service is closed
	bus      cache.Bus    // nil without Config.Bus
	poll     time.Duration
	logger   *slog.Logger
	closed   atomic.Bool
}

// Open returns a service, with the schema of its database up to date.
//
// The error matches [ErrUnsupportedURL], [ErrInvalid], [ErrClosed] or the
// context's, or is a [*DatabaseError].
func Open(ctx context.Context, cfg Config) (*Service, error) {
	s := &Service{
		clock: cfg.Clock, ids: identifier.NewSource(cfg.Entropy), onChange: cfg.OnChange, logger: cfg.Logger,
		bell: new(engine.Bell), bus: cfg.Bus, poll: cmp.Or(cfg.Poll, defaultPoll),
	}
	if ctx == nil {
		return nil, errNoContext()
	}
	if cfg.MaxAge < 0 {
		return nil, invalid("maximum age", cfg.MaxAge.String(), "is negative")
	}
	if cfg.Poll < 0 {
		return nil, invalid("poll", cfg.Poll.String(), "is negative")
	}
	if cfg.Count {
		s.counters = new(counters)
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	if err := s.openStore(ctx, cfg); err != nil {
		return nil, err
	}
	return s, nil
}

// openStore sets the store, and the engine if there is one.
func (s *Service) openStore(ctx context.Context, cfg Config) (err error) {
	if cfg.URL == "" {
		s.store, err = newMemoryStore()
		return err
	}
	s.engine, s.giveBack, err = process.Migrated(ctx, cfg.Engines, cfg.URL, EnginesConfig{Logger: cfg.Logger})
	if err != nil {
		return err
	}
	s.bell = engine.BellOf(s.engine)
	s.store, err = openStore(s.engine, s.counters)
	if err == nil && cfg.MaxAge > 0 {
		s.recent, err = newRecent(s.store, cfg.MaxAge, s.counters)
	}
	if err != nil {
		return errors.Join(err, s.giveBack())
	}
	return nil
}

// Close ends the service: later calls get [ErrClosed], and so does a second Close. If this is the
// last service of the process on its engine (see [Config].Engines), Close closes the engine too: it
// waits for calls under way, which get [ErrClosed] if they are waiting for a lock of another
// process. So what a call runs, such as the function of a transaction, must not call Close: it
// would wait for itself.
func (s *Service) Close() error {
	if !s.closed.CompareAndSwap(false, true) {
		return errServiceClosed()
	}
	s.bell.Ring()
	err := s.store.close()
	if s.recent != nil {
		err = errors.Join(err, s.recent.close())
	}
	if s.giveBack != nil {
		err = errors.Join(err, s.giveBack())
	}
	return err
}

func errNoContext() error { return invalid("context", "", "is nil") }

func errServiceClosed() error { return fmt.Errorf("lifecycle: service is %w", ErrClosed) }

// enter comes first in every method: it refuses a closed service and an ended context.
func (s *Service) enter(ctx context.Context) error {
	if s.closed.Load() {
		return errServiceClosed()
	}
	if ctx == nil {
		return errNoContext()
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("lifecycle: not begun: %w", err)
	}
	return nil
}
