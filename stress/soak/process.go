package soak

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// process is one life of a process, seen by its parent. Its methods are for one goroutine.
type process struct {
	life
	cmd    *exec.Cmd
	in     io.Closer // closed to ask it to end
	words  string    // the file of what it writes to standard error
	file   string    // its journal
	hello  *helloReader
	done   chan struct{} // closed when it has ended
	killed bool          // by us

	grown int64     // the size of the journal when last looked at
	when  time.Time // when that had grown
}

// startProcess starts a process and hands it its job.
func startProcess(cfg Config, j job) (*process, error) {
	p := &process{
		life: j.life, words: filepath.Join(j.Dir, fmt.Sprintf("process-%s.stderr", j.life)), file: journalName(j.Dir, j.life),
		hello: &helloReader{began: clock()}, done: make(chan struct{}), when: time.Now(),
	}
	words, err := os.Create(p.words)
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	defer words.Close() // the process has its own
	p.cmd = exec.Command(cfg.Command[0], cfg.Command[1:]...)
	p.cmd.Env = append(append(os.Environ(), cfg.Env...), "GOTRACEBACK=all", "GORACE=halt_on_error=1")
	p.cmd.Stdout, p.cmd.Stderr = p.hello, words
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("soak: start a process: %w", err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // the state says all
	}()
	if err := json.NewEncoder(in).Encode(j); err != nil {
		p.kill()
		return nil, fmt.Errorf("soak: give process %s its job: %w", p.life, err)
	}
	return p, nil
}

// kill kills the process as by kill -9, and waits for its end. It reports whether there was one to kill.
func (p *process) kill() bool {
	p.killed = p.cmd.Process.Kill() == nil
	<-p.done
	_ = p.in.Close() // nobody reads it any more
	return p.killed && p.cmd.ProcessState.ExitCode() == -1
}

// end asks the process to end.
func (p *process) end() { _ = p.in.Close() }

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// dump has the process write the stacks of all goroutines, and ends it.
func (p *process) dump() {
	_ = p.cmd.Process.Signal(syscall.SIGQUIT) // where there is no such signal it is killed without
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
	}
	p.kill()
}

// silent reports for how long the process has not written anything.
func (p *process) silent() time.Duration {
	if info, err := os.Stat(p.file); err == nil && info.Size() > p.grown {
		p.grown, p.when = info.Size(), time.Now()
	}
	return time.Since(p.when)
}

// lastWords is the beginning of what the process wrote to standard error.
func (p *process) lastWords() []string {
	const limit = 120
	text, err := os.ReadFile(p.words)
	if err != nil {
		return []string{err.Error()}
	}
	var lines []string
	for l := range bytes.Lines(text) {
		if len(lines) == limit {
			return append(lines, "… and so on, in "+p.words)
		}
		lines = append(lines, string(bytes.TrimRight(l, "\n")))
	}
	return lines
}

// helloReader reads what a process says on standard output, and when. It is written to by the goroutine of package exec.
type helloReader struct {
	began int64

	mu   sync.Mutex
	text []byte // guarded by mu
	came int64  // when the line was whole; guarded by mu
}

// Write implements io.Writer. It keeps one line.
func (h *helloReader) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.came == 0 {
		h.text = append(h.text, p...)
		if bytes.IndexByte(h.text, '\n') >= 0 {
			h.came = clock()
		}
	}
	return len(p), nil
}

// check finds out whether the process has the same clock as its parent. One that was killed may not have come to say.
func (h *helloReader) check() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.came == 0 {
		return nil
	}
	var said hello
	if err := json.Unmarshal(h.text, &said); err != nil {
		return fmt.Errorf("soak: a process said %.60q, want hello: %w", h.text, err)
	}
	if said.Clock < h.began || said.Clock > h.came {
		return fmt.Errorf("%w: a process read %d between %d and %d of its parent", ErrUnsupported, said.Clock, h.began, h.came)
	}
	return nil
}
