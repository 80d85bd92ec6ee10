package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress/soak/jumping"
	"github.com/jacquard-go/jacquard/stress/soak/passing"
)

// job is the configuration of a process, which it reads from its standard input. The process ends when its standard input
// ends.
type job struct {
	life
	URL        string        `json:"url"`
	Dir        string        `json:"dir"`
	Goroutines int           `json:"goroutines"`
	Plans      int           `json:"plans"` // worked on at a time, by all processes
	Seed       uint64        `json:"seed"`
	MaxAge     time.Duration `json:"max_age"`
	Relaxed    bool          `json:"relaxed"`
	Stall      time.Duration `json:"stall"`
}

// hello is what a process writes to its standard output once its service is open.
type hello struct {
	Clock int64 `json:"clock"`
}

// Opener opens a service.
type Opener func(context.Context, lifecycle.Config) (Service, error)

// Open is the [Opener] of package lifecycle.
func Open(ctx context.Context, cfg lifecycle.Config) (Service, error) {
	s, err := lifecycle.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Work is the side of a process that [Run] starts: it opens a service with open, makes random calls and records each before and after
// it, and ends in order when in or ctx ends. Nil for open means [Open]. A goroutine that reads in is left until in ends.
//
// An operation that does not return long after its context has ended panics, which dumps all goroutines.
func Work(ctx context.Context, open Opener, in io.Reader, out io.Writer) (err error) {
	if open == nil {
		open = Open
	}
	input := json.NewDecoder(in)
	var j job
	if err := input.Decode(&j); err != nil {
		return fmt.Errorf("soak: read a job: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in) // only the end of in matters
		cancel()
	}()
	w, err := j.worker()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.openPatiently(ctx, open); err != nil {
		if ctx.Err() != nil {
			return nil // asked to end before it had begun
		}
		return err
	}
	if err := json.NewEncoder(out).Encode(hello{clock()}); err != nil {
		return fmt.Errorf("soak: say hello: %w", err)
	}
	return w.run(ctx)
}

// clockStream is the number of the clock's stream of random numbers; goroutines have those from 0.
const clockStream = 1<<16 - 1

// rng returns one of the random streams of a life of a process.
func (j job) rng(stream int) *rand.Rand {
	return rand.New(rand.NewPCG(j.Seed, uint64(j.Process)<<40|uint64(j.Life)<<16|uint64(stream)))
}

// worker is a process that makes calls.
type worker struct {
	job
	journal   *journal
	board     *board
	knowledge *knowledge
	clock     *jumping.Clock
	engines   *lifecycle.Engines
	service   Service
	whole     *lifecycle.Service // for subplans
	offices   offices
	calls     atomic.Int64
}

func (j job) worker() (*worker, error) {
	w := &worker{job: j, clock: jumping.New(j.rng(clockStream), 10*lease)}
	var err error
	if w.journal, err = createJournal(j.Dir, j.life); err != nil {
		return nil, err
	}
	if w.board, err = openBoard(j.Dir); err != nil {
		return nil, errors.Join(err, w.journal.close())
	}
	w.knowledge = newKnowledge(w.board, j.Plans)
	return w, nil
}

func (w *worker) open(ctx context.Context, open Opener) (err error) {
	if w.engines, err = lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: w.Relaxed}); err != nil {
		return err
	}
	cfg := lifecycle.Config{URL: w.URL, Engines: w.engines, Clock: w.clock.Now, MaxAge: w.MaxAge, Count: true}
	if w.service, err = open(ctx, cfg); err != nil {
		return err
	}
	cfg.MaxAge, cfg.Count = 0, false
	if w.whole, err = lifecycle.Open(ctx, cfg); err != nil {
		return err
	}
	w.offices, err = openOffices(w.service, w.whole, w.clock.Now)
	return err
}

// openPatiently retries opening while the server is being restarted.
func (w *worker) openPatiently(ctx context.Context, open Opener) error {
	for patience := time.Now().Add(w.Stall); ; {
		err := w.open(ctx, open)
		gone := errors.Is(err, lifecycle.ErrUnavailable) || errors.Is(err, lifecycle.ErrOutcomeUnknown)
		if !gone || ctx.Err() != nil || time.Now().After(patience) {
			return err
		}
		if err := w.closeServices(); err != nil {
			return err
		}
		time.Sleep(pulse)
	}
}

// closeServices closes the services that open has opened.
func (w *worker) closeServices() error {
	var errs []error
	if w.service != nil {
		errs = append(errs, w.service.Close())
	}
	if w.whole != nil {
		errs = append(errs, w.whole.Close())
	}
	if w.engines != nil {
		errs = append(errs, w.engines.Close())
	}
	w.service, w.whole, w.engines = nil, nil, nil
	return errors.Join(errs...)
}

// close closes everything that the worker has opened.
func (w *worker) close() error {
	var errs []error
	if w.service != nil {
		errs = append(errs, w.writeStats())
	}
	return errors.Join(append(errs, w.closeServices(), w.journal.close(), w.board.close())...)
}

func (w *worker) writeStats() error {
	stats := counts{w.service.Stats(), w.clock.Count()}
	return w.journal.write(line{Stats: &stats})
}

// callsPerStats is how many calls pass between two records of the service's counts, which are then known after a kill.
const callsPerStats = 100

// run makes calls on all goroutines until ctx ends. A call that has begun is completed.
func (w *worker) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for g := range w.Goroutines {
		choose := newChooser(w.rng(g), w.knowledge)
		all.Go(func() {
			for ctx.Err() == nil {
				if _, err := w.do(g+1, choose.next()); err != nil {
					stop(err)
				}
				choose.rest(ctx)
			}
		})
	}
	for g := range owners {
		all.Go(func() {
			if err := newOwner(w, w.Goroutines+g+1, w.rng(w.Goroutines+g)).run(ctx); err != nil {
				stop(err)
			}
		})
	}
	all.Go(func() {
		g := w.Goroutines + owners
		if err := newExecutor(w, g+1, w.rng(g)).run(ctx); err != nil {
			stop(err)
		}
	})
	all.Go(func() {
		a := passing.Actor{Service: w.whole, Dir: w.Dir, Life: w.String(), Rng: w.rng(w.Goroutines + owners + 1), Clock: clock, Limit: w.Stall}
		if err := a.Act(ctx); err != nil {
			stop(err)
		}
	})
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// do makes a call, records it before and after, and returns its answer.
func (w *worker) do(goroutine int, c call) (a answer, err error) {
	c.Number, c.Goroutine = w.calls.Add(1), goroutine
	limit := w.Stall
	if c.Hurried > 0 {
		limit = time.Duration(c.Hurried)
	}
	c.At = clock()
	if err := w.journal.write(line{Call: &c}); err != nil {
		return a, err
	}
	label := w.label(c.Number)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	alarm := time.AfterFunc(limit+w.Stall, func() { stuck(label, c, limit) })
	if c.Kind == RunSubplans {
		a = w.runSubplans(ctx, goroutine, c)
	} else if c.Kind.owns() {
		a = w.offices.perform(ctx, c, label)
	} else {
		a = perform(ctx, w.service, c, label)
	}
	alarm.Stop()
	a.At = clock()
	if err := w.journal.write(line{Return: &a}); err != nil {
		return a, err
	}
	if c.Number%callsPerStats == 0 {
		if err := w.writeStats(); err != nil {
			return a, err
		}
	}
	return a, w.knowledge.learn(c, a)
}

// stuck ends the process.
func stuck(label string, c call, limit time.Duration) {
	debug.SetTraceback("all")
	panic(fmt.Sprintf("soak: call %s, %s, has not returned long after its context ended (%v)", label, c.Kind, limit))
}
