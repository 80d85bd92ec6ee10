package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/system"
)

// WorkersEnv names the variable that says how many processes an exploration may use if
// Config.Workers is 0.
const WorkersEnv = "JACQUARD_WORKERS"

// ConfirmEnv names the file in which a controlled test process records the tests that
// it has run. Workers do not get the variable.
const ConfirmEnv = "JACQUARD_CONFIRM"

// postEnv names the variable that makes a process a worker: the number of the
// exploration to serve, a colon, and the import path of this package, because a program
// may contain two copies of it.
const postEnv = "JACQUARD_WORKER"

// workersPkg is the import path of this package.
const workersPkg = "github.com/jacquard-go/jacquard/internal/workers"

// startAfter is how long an exploration must have taken, and must be expected to take,
// before workers start: each has to load the program and reach the exploration before
// it is of use.
const startAfter = 250 * time.Millisecond

// workerDir is the prefix of the names of workers' temporary folders.
const workerDir = "jacquard-worker-"

// workerSilence is how long, beyond Config.Watchdog, a worker may be silent.
const workerSilence = 10 * time.Second

// Errors that only say why there is no worker.
var (
	errNoWorker = errors.New("explore: only tests and programs that set Config.Worker have workers")
	errNotYet   = errors.New("explore: Config.Worker wants no other worker for the time being")
)

// A Starter starts the workers of an exploration.
type Starter struct {
	Pool        *pool
	cfg         Options
	hooks       Hooks
	Exploration exploration
	want        func() (Identity, error) // the exploration that workers must reach
	began       time.Time
	Earlier     int  // schedules run before the exploration resumed
	started     int  // workers that have been started
	Alone       bool // no more workers may start
	opening     bool // a process is being started for its first execution only
}

// An Options says which workers may start.
type Options struct {
	Name    string
	Most    int              // processes, this one included
	Command func() *exec.Cmd // see Config.Worker
	Fresh   func() *exec.Cmd // see Config.Fresh
	Logger  *slog.Logger
}

// Hooks observe and change workers in tests.
type Hooks struct {
	Eager   bool          // start workers at once, and wait until they are ready
	Started func(pid int) // called for each worker
	// OnlyLater disables first executions in processes of their own.
	OnlyLater bool
	Helped    func(n int) // called at the end with the number of schedules that workers ran
}

// hooksKey is the context key of Hooks.
type hooksKey struct{}

// WithHooks returns a context for an exploration with hooks.
func WithHooks(ctx context.Context, h Hooks) context.Context {
	return context.WithValue(ctx, hooksKey{}, h)
}

// HooksOf returns the hooks of an exploration; the zero value unless a test has set some.
func HooksOf(ctx context.Context) Hooks {
	h, _ := ctx.Value(hooksKey{}).(Hooks)
	return h
}

// NewStarter returns a Starter without workers. own runs a schedule in this process;
// stall is how long one step may take.
func NewStarter(ctx context.Context, cfg Options, own func(schedule.Schedule) Course, stall time.Duration, want func() (Identity, error)) *Starter {
	h := &Starter{cfg: cfg, hooks: HooksOf(ctx), want: want, began: time.Now()}
	h.Pool = newPool(ctx, own, h.workerLost, stall+workerSilence)
	return h
}

// Start starts workers, up to the limit, once so much is left to do that starting
// them pays. left is how many schedules may still follow; ran is how many were
// run.
func (h *Starter) Start(left, ran int) {
	if h.Alone || h.started >= h.cfg.Most-1 {
		return
	}
	if took := time.Since(h.began); !h.hooks.Eager {
		ahead := took / time.Duration(max(ran-h.Earlier, 1)) * time.Duration(left)
		if took < startAfter || ahead < startAfter {
			return
		}
	}
	for ; h.started < h.cfg.Most-1; h.started++ {
		w, err := h.launch(h.Pool, &briefing{Past: h.Exploration.past})
		if errors.Is(err, errNotYet) {
			break
		}
		if err != nil {
			h.Alone = true
			if !errors.Is(err, errNoWorker) {
				h.cfg.Logger.Warn("explore: a worker could not be started", "exploration", h.cfg.Name, "error", err)
			}
			return
		}
		h.Pool.workers = append(h.Pool.workers, w)
	}
	if h.hooks.Eager {
		h.Pool.greet()
	}
}

// workerLost logs why a worker was given up.
func (h *Starter) workerLost(_ *worker, why error) {
	h.cfg.Logger.Warn("explore: a worker is given up, its schedules are run here", "exploration", h.cfg.Name, "error", why)
}

// DismissAll ends all workers, and prevents new ones.
func (h *Starter) DismissAll() {
	h.Alone = true
	h.Pool.end()
}

// End ends all workers when the exploration is over.
func (h *Starter) End() {
	h.DismissAll()
	if h.hooks.Helped != nil {
		h.hooks.Helped(h.Pool.helped)
	}
}

// Ask starts a process for its first execution only, and returns its answer.
func (h *Starter) Ask(t Job) (Message, error) {
	alone := newPool(h.Pool.ctx, nil, func(*worker, error) {}, h.Pool.silence)
	h.opening = true
	w, err := h.launch(alone, &briefing{Past: h.Exploration.past, First: true})
	h.opening = false
	if err != nil {
		return Message{}, err
	}
	defer w.quit()
	w.jobs <- t
	silent := time.NewTimer(alone.silence)
	defer silent.Stop()
	select {
	case s := <-alone.said:
		return s.Message, s.err
	case <-silent.C:
		return Message{}, fmt.Errorf("it said nothing for %v", alone.silence)
	case <-alone.ctx.Done():
		return Message{}, alone.ctx.Err()
	}
}

// command returns a command that starts a process which reaches this exploration.
func (h *Starter) command() (*exec.Cmd, error) {
	start := h.cfg.Command
	if h.opening && h.cfg.Fresh != nil {
		start = h.cfg.Fresh
	}
	if start != nil {
		cmd := start()
		if cmd == nil {
			return nil, errNotYet
		}
		return cmd, nil
	}
	if h.Exploration.test == "" || !h.Exploration.whole() || !testing.Testing() {
		return nil, errNoWorker
	}
	return child.Again(RunPattern(h.Exploration.test))
}

// RunPattern returns a -test.run pattern that matches exactly one test or subtest.
func RunPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// launch starts a process and the goroutines that talk to it.
func (h *Starter) launch(to *pool, brief *briefing) (*worker, error) {
	cmd, err := h.command()
	if err != nil {
		return nil, err
	}
	want, err := h.want()
	if err != nil {
		return nil, err
	}
	if h.cfg.Command != nil {
		want.Number = 1
	}
	dir, err := os.MkdirTemp(system.TempBase(), workerDir)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(executable.Env(without(cmd.Environ(), ConfirmEnv, postEnv, "TMPDIR"), dir),
		fmt.Sprintf("%s=%d:%s", postEnv, want.Number, workersPkg), "TMPDIR="+dir)
	p, err := child.Start(context.Background(), cmd, child.Options{
		Wire: child.Gob, Beside: true, Prompt: true, Kin: true, Heir: true, Words: &child.Words{Limit: 1000},
	})
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if h.hooks.Started != nil {
		h.hooks.Started(p.Pid())
	}
	return to.talk(p.Conn, brief, want, func() string {
		p.Kill()
		e := p.Close()
		_ = os.RemoveAll(dir) // failing is harmless: it is in the system's temporary folder
		return strings.TrimSpace(e.String() + " " + e.Words)
	}), nil
}

// without removes variables from an environment.
func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name)
	})
}

// talk makes a worker of the process at the other end of a connection. stop ends that
// process and the connection, and returns its last words.
func (c *pool) talk(to *child.Conn, brief *briefing, want Identity, stop func() string) *worker {
	tasks, over := make(chan Job, 16), make(chan struct{})
	w := &worker{jobs: tasks, heard: time.Now()}
	var talking sync.WaitGroup
	w.quit = sync.OnceValue(func() string {
		close(over)
		words := stop()
		talking.Wait()
		return words
	})
	talking.Go(func() {
		err := to.Send(brief)
		for err == nil {
			select {
			case t := <-tasks:
				err = to.Send(t)
			case <-over:
				return
			}
		}
	})
	talking.Go(func() {
		for {
			s := said{by: w}
			if s.err = to.Receive(&s.Message); s.err == nil && s.Hello != nil {
				s.err = want.check(s.Hello.Exploration)
			}
			select {
			case c.said <- s:
			case <-over:
				return
			}
			if s.err != nil {
				return
			}
		}
	})
	return w
}

// check compares the exploration that a worker has reached with the wanted one.
func (id Identity) check(got Identity) error {
	if got != id {
		return fmt.Errorf("it came to another exploration: got %+v, want %+v", got, id)
	}
	return nil
}

// greet waits until each worker has identified itself or is lost.
func (c *pool) greet() {
	late := time.After(c.silence)
	for slices.ContainsFunc(c.workers, func(w *worker) bool { return !w.known }) {
		select {
		case s := <-c.said:
			c.hear(nil, s)
		case <-late:
			return
		}
	}
}
