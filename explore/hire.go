package explore

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
)

// workersEnv names the variable that says how many processes an exploration
// may use, where Config.Workers does not.
const workersEnv = "JACQUARD_WORKERS"

// confirmEnv names the file to which a controlled test process writes the
// tests that it has run. Workers have none.
const confirmEnv = "JACQUARD_CONFIRM"

// postEnv names the variable by which a process knows that it is a worker: the
// number of the exploration it is for, a colon, and the import path of this
// package, of which a program can have two.
const postEnv = "JACQUARD_WORKER"

// hireAfter is how long an exploration has to take, and how much it has to have
// before it, for workers to be started: until one is of use it has loaded the
// program and come to the exploration.
const hireAfter = 250 * time.Millisecond

// workerDir begins the names of folders for the temporary files of workers.
const workerDir = "jacquard-worker-"

// workerSilence is how long, beyond Config.Stall, a worker may say nothing.
const workerSilence = 10 * time.Second

// Why there is no worker, without anything being wrong.
var (
	errNoWorker = errors.New("explore: only tests and programs that set Config.Worker have workers")
	errNotYet   = errors.New("explore: Config.Worker wants no other worker for the time being")
)

// workers is how many processes may run executions, this one included.
func (c *Config) workers() (int, error) {
	n := c.Workers
	if text := os.Getenv(workersEnv); n == 0 && text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return 0, fmt.Errorf("%w: %s: got %q, want a number of at least 1", ErrConfig, workersEnv, text)
		}
	}
	if n < 0 {
		return 0, fmt.Errorf("%w: Workers: got %d, want at least 1, or 0 for the default", ErrConfig, n)
	}
	if n == 0 {
		n = runtime.NumCPU()
	}
	return n, nil
}

// hire starts the workers that there may be, when there is reason to: so much is
// left to do that their start pays. left is how many schedules there may be.
func (x *explorer) hire(left int) {
	if x.alone || x.hired >= x.cfg.Workers-1 {
		return
	}
	if took := time.Since(x.began); !x.cfg.crew.eager {
		ahead := took / time.Duration(max(x.result.Schedules-x.earlier, 1)) * time.Duration(left)
		if took < hireAfter || ahead < hireAfter {
			return
		}
	}
	for ; x.hired < x.cfg.Workers-1; x.hired++ {
		w, err := x.startWorker()
		if errors.Is(err, errNotYet) {
			break
		}
		if err != nil {
			x.alone = true
			if !errors.Is(err, errNoWorker) {
				x.cfg.Logger.Warn("explore: a worker could not be started", "exploration", x.cfg.Name, "error", err)
			}
			return
		}
		x.crew.workers = append(x.crew.workers, w)
	}
	if x.cfg.crew.eager {
		x.crew.greet()
	}
}

// workerLost says why a worker is of no more use.
func (x *explorer) workerLost(_ *worker, why error) {
	x.cfg.Logger.Warn("explore: a worker is given up, its schedules are run here", "exploration", x.cfg.Name, "error", why)
}

// command is how a process is started that comes to this exploration.
func (x *explorer) command() (*exec.Cmd, error) {
	if x.cfg.Worker != nil {
		cmd := x.cfg.Worker()
		if cmd == nil {
			return nil, errNotYet
		}
		return cmd, nil
	}
	if x.at.test == "" || !x.at.whole() || !testing.Testing() {
		return nil, errNoWorker
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"-test.run=" + runPattern(x.at.test), "-test.count=1", "-test.timeout=0"}
	for _, arg := range os.Args[1:] {
		if !strings.HasPrefix(arg, "-test.") && !strings.HasPrefix(arg, "--test.") {
			args = append(args, arg)
		}
	}
	return exec.Command(self, args...), nil
}

// runPattern matches exactly one test or subtest.
func runPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// startWorker starts a process and the goroutines that talk to it.
func (x *explorer) startWorker() (*worker, error) {
	cmd, err := x.command()
	if err != nil {
		return nil, err
	}
	want, err := x.identity()
	if err != nil {
		return nil, err
	}
	if x.cfg.Worker != nil {
		want.Number = 1
	}
	dir, err := os.MkdirTemp(tempBase(), workerDir)
	if err != nil {
		return nil, err
	}
	p := &workerProcess{cmd: cmd, dir: dir}
	cmd.Env = append(executable.Env(without(cmd.Environ(), confirmEnv, postEnv, "TMPDIR"), dir),
		fmt.Sprintf("%s=%d:%s", postEnv, want.Number, selfPkg), "TMPDIR="+dir)
	cmd.Stderr = &p.words
	cmd.WaitDelay = time.Second
	in, out, err := p.start()
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if x.cfg.crew.started != nil {
		x.cfg.crew.started(cmd.Process.Pid)
	}
	return x.crew.talk(in, out, &briefing{Past: x.at.past}, want, p.stop), nil
}

// without drops variables from an environment.
func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name)
	})
}

// A workerProcess is a worker as a process.
type workerProcess struct {
	cmd   *exec.Cmd
	dir   string // for its temporary files
	words lastWords
}

// start starts the process, with two pipes beside its standard files: the
// program under test may write what it likes to those.
func (p *workerProcess) start() (in, out *os.File, err error) {
	theirIn, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, theirIn.Close(), out.Close())
	}
	p.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	err = p.cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close() // the process has them now
	if err != nil {
		return nil, nil, errors.Join(err, in.Close(), out.Close())
	}
	_, _ = in.Fd(), out.Fd() // blocks a thread: what is said is then heard at once, not when the network is polled
	return in, out, nil
}

// stop ends the process and removes its files.
func (p *workerProcess) stop() string {
	_ = p.cmd.Process.Kill() // it may be over
	_ = p.cmd.Wait()         // the same
	_ = os.RemoveAll(p.dir)  // in the system's folder for such things
	return strings.TrimSpace(p.cmd.ProcessState.String() + " " + p.words.String())
}

// lastWords keeps the beginning of what a worker writes to standard error. One
// goroutine writes, and it has ended when the words are read.
type lastWords struct{ bytes.Buffer }

func (w *lastWords) Write(p []byte) (int, error) {
	if left := 1000 - w.Len(); left > 0 {
		w.Buffer.Write(p[:min(left, len(p))])
	}
	return len(p), nil
}

// talk makes a worker of a process that reads out and writes in. stop ends it
// and returns its last words.
func (c *crew) talk(in io.ReadCloser, out io.WriteCloser, brief *briefing, want identity, stop func() string) *worker {
	tasks, over := make(chan task, 16), make(chan struct{})
	w := &worker{tasks: tasks, heard: time.Now()}
	var talking sync.WaitGroup
	w.quit = sync.OnceValue(func() string {
		close(over)
		words := stop()
		_, _ = in.Close(), out.Close() // nobody is at the other end
		talking.Wait()
		return words
	})
	talking.Go(func() {
		say := gob.NewEncoder(out)
		err := say.Encode(brief)
		for err == nil {
			select {
			case t := <-tasks:
				err = say.Encode(t)
			case <-over:
				return
			}
		}
	})
	talking.Go(func() {
		hear := gob.NewDecoder(in)
		for {
			s := said{by: w}
			if s.err = hear.Decode(&s.saying); s.err == nil && s.Hello != nil {
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
func (id identity) check(got identity) error {
	if got != id {
		return fmt.Errorf("it came to another exploration: got %+v, want %+v", got, id)
	}
	return nil
}

// greet waits until each worker has said who it is or is lost.
func (c *crew) greet() {
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
