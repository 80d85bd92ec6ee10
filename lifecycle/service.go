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
	// URL says where actions, plans and changesets are kept. Empty means in
	// this service's memory, without a database. See [Engines.Engine] for the
	// others.
	URL string

	// Engines is where the engine of the URL is taken from. Nil means the
	// process: all its services without Engines share one engine per URL, and
	// so one database per in-memory URL. The first of them opens it, with the
	// defaults of [EnginesConfig] and this Logger, and the last one to be closed
	// closes it. Engines of one's own isolate: they share no memory with others.
	Engines *Engines

	// Clock tells the time. Nil means [time.Now]. It is called by the
	// goroutines that call the service, several at a time. It may jump, also
	// back; a time outside of the years 1970 to 9999 is invalid.
	Clock func() time.Time

	// Entropy is where the random part of identifiers comes from. Nil means
	// crypto/rand. It is read by one goroutine at a time.
	Entropy io.Reader

	// OnChange, if not nil, is called after each committed change of a plan,
	// by the goroutine that made it, with no lock held. Calls for changes by
	// several goroutines can come at the same time and in any order; the
	// versions of the plans tell the order. Changes by other services on the
	// same database are not reported, see [Service.Events] for these.
	OnChange func(Event)

	// Bus, if not nil, carries the news of a change to those who follow
	// [Service.Events] of services that have the same bus, in whatever process: a
	// message with the plan's identifier after each commit, before the call returns.
	// Any message wakes them, also of others who use the bus. That one cannot be
	// published is logged, and means that they find the change later. Without a bus
	// they are told of changes through their own engine only. See [Bus].
	Bus cache.Bus

	// Poll is how long [Service.Events] waits for news before it looks by itself.
	// Zero means a second. It must not be negative.
	Poll time.Duration

	// MaxAge is how old what [Service.Recent] returns may be, in real time.
	// Zero means not at all. It must not be negative.
	MaxAge time.Duration

	// Count turns [Service.Stats] on, which costs an atomic operation per read.
	Count bool

	// Logger is told about changes and lost conflicts. Nil means that nobody
	// is.
	Logger *slog.Logger
}

// Event is a committed change of a plan.
type Event struct {
	Command Command  // what was asked; CommandUseAction for a new plan
	From    Position // where the plan was; action/available for a new plan
	Plan    Plan     // as the change left it; as it was last if it was deleted
}

// Service is the plan lifecycle service. Open makes one.
//
// A Service is safe for any number of goroutines, and any number of services,
// in any number of processes, may be open on one database. Each of its methods
// either happens, at one moment between its call and its return, or returns an
// error and changes nothing. What a method returns is the latest committed
// state at such a moment: a call that begins after another one has returned,
// anywhere, sees what that one did.
//
// A context bounds every wait for locks and for other goroutines; a statement
// that has begun is carried to its end.
type Service struct {
	store    store
	recent   recent       // nil without Config.MaxAge, and in memory
	counters *counters    // nil without Config.Count
	engine   *Engine      // nil in memory
	giveBack func() error // what it has of the engine; nil in memory
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

// Close ends the service: later calls get [ErrClosed], and so does a second
// Close. If it is the last service of the process on its engine, see
// [Config].Engines, the engine is closed too: calls under way are finished
// first, and get [ErrClosed] if they are waiting for a lock of another process.
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

// enter is the first thing every method does.
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
