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

// WorkersEnv names the variable that says how many processes an exploration
// may use, where Config.Workers does not.
const WorkersEnv = "JACQUARD_WORKERS"

// ConfirmEnv names the file to which a controlled test process writes the
// tests that it has run. Workers have none.
const ConfirmEnv = "JACQUARD_CONFIRM"

// postEnv names the variable by which a process knows that it is a worker: the
// number of the exploration it is for, a colon, and the import path of this
// package, of which a program can have two.
const postEnv = "JACQUARD_WORKER"

// workersPkg is this package.
const workersPkg = "github.com/jacquard-go/jacquard/internal/workers"

// startAfter is how long an exploration has to take, and how much it has to have
// before it, for workers to be started: until one is of use it has loaded the
// program and come to the exploration.
const startAfter = 250 * time.Millisecond

// workerDir begins the names of folders for the temporary files of workers.
const workerDir = "jacquard-worker-"

// workerSilence is how long, beyond Config.Watchdog, a worker may say nothing.
const workerSilence = 10 * time.Second

// Why there is no worker, without anything being wrong.
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
	want        func() (Identity, error) // which exploration they have to come to
	began       time.Time
	Earlier     int  // schedules that were run before it began
	started     int  // workers that have been started
	Alone       bool // there are to be none any more
	opening     bool // a process is started for its first execution only
}

// An Options says which workers there are to be.
type Options struct {
	Name    string
	Most    int              // processes, this one included
	Command func() *exec.Cmd // see Config.Worker
	Fresh   func() *exec.Cmd // see Config.Fresh
	Logger  *slog.Logger
}

// Hooks are for tests of workers.
type Hooks struct {
	Eager   bool          // start them at once, and wait until they are ready
	Started func(pid int) // called for each
	// OnlyLater leaves first executions out.
	OnlyLater bool
	Helped    func(n int) // called in the end with the number of schedules that they ran
}

// hooksKey is that of a context's Hooks.
type hooksKey struct{}

// WithHooks returns a context for an exploration with hooks.
func WithHooks(ctx context.Context, h Hooks) context.Context {
	return context.WithValue(ctx, hooksKey{}, h)
}

// HooksOf are those of an exploration; none, unless a test has set some.
func HooksOf(ctx context.Context) Hooks {
	h, _ := ctx.Value(hooksKey{}).(Hooks)
	return h
}

// NewStarter returns one that has started no worker. own runs a schedule in this
// process, stall is how long one step of it may take.
func NewStarter(ctx context.Context, cfg Options, own func(schedule.Schedule) Course, stall time.Duration, want func() (Identity, error)) *Starter {
	h := &Starter{cfg: cfg, hooks: HooksOf(ctx), want: want, began: time.Now()}
	h.Pool = newPool(ctx, own, h.workerLost, stall+workerSilence)
	return h
}

// Start starts the workers that there may be, when there is reason to: so much is
// left to do that their start pays. left is how many schedules there may be, ran how
// many there were.
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

// workerLost says why a worker is of no more use.
func (h *Starter) workerLost(_ *worker, why error) {
	h.cfg.Logger.Warn("explore: a worker is given up, its schedules are run here", "exploration", h.cfg.Name, "error", why)
}

// DismissAll ends all workers; there are to be no others.
func (h *Starter) DismissAll() {
	h.Alone = true
	h.Pool.end()
}

// End is dismissAll when the exploration is over.
func (h *Starter) End() {
	h.DismissAll()
	if h.hooks.Helped != nil {
		h.hooks.Helped(h.Pool.helped)
	}
}

// Ask starts a process for its first execution only, and returns what it says of it.
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

// command is how a process is started that comes to this exploration.
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

// RunPattern matches exactly one test or subtest.
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
		_ = os.RemoveAll(dir) // in the system's folder for such things
		return strings.TrimSpace(e.String() + " " + e.Words)
	}), nil
}

// without drops variables from an environment.
func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name)
	})
}

// talk makes a worker of who is at the other end of a connection. stop ends it, and
// the connection, and returns its last words.
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

// check compares an exploration that a worker has come to with the one wanted.
func (id Identity) check(got Identity) error {
	if got != id {
		return fmt.Errorf("it came to another exploration: got %+v, want %+v", got, id)
	}
	return nil
}

// greet waits until each worker has said who it is or is lost.
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
