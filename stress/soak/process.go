package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
)

// process is one life of a process, as its parent sees it. Its methods are not safe for concurrent use.
type process struct {
	life
	*child.Process
	words  string // the file of its standard error
	file   string // its journal
	hello  *helloReader
	killed bool // by the parent

	grown int64     // the size of the journal at the last look
	when  time.Time // when the journal had last grown
}

// startProcess starts a process and hands it its job. One that has ended before it could take it is seen to have ended, as any other.
func startProcess(cfg Config, j job) (*process, error) {
	p := &process{
		life: j.life, words: filepath.Join(j.Dir, fmt.Sprintf("process-%s.stderr", j.life)), file: journalName(j.Dir, j.life),
		hello: &helloReader{began: clock()}, when: time.Now(),
	}
	words, err := os.Create(p.words)
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	defer words.Close() // the process has its own
	cmd := exec.Command(cfg.Command[0], cfg.Command[1:]...)
	cmd.Env = append(append(os.Environ(), cfg.Env...), "GOTRACEBACK=all", "GORACE=halt_on_error=1")
	cmd.Stdout, cmd.Stderr = p.hello, words
	dump := func(error) os.Signal { return syscall.SIGQUIT } // where there is no such signal it is killed without
	if p.Process, err = child.Start(context.Background(), cmd, child.Options{Wire: child.Lines, Ask: dump}); err != nil {
		return nil, fmt.Errorf("soak: start a process: %w", err)
	}
	if err := p.Send(j); err != nil && !errors.Is(err, syscall.EPIPE) {
		p.kill()
		return nil, fmt.Errorf("soak: give process %s its job: %w", p.life, err)
	}
	return p, nil
}

// kill kills the process as by kill -9, and waits for its end. It returns false if the process had ended already.
func (p *process) kill() bool {
	p.killed = p.Kill()
	return p.Close().State.ExitCode() == -1 && p.killed
}

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}

// errStuck is the reason for ending a process that does nothing.
var errStuck = errors.New("stuck")

// dump makes the process write the stacks of all goroutines, and ends it.
func (p *process) dump() {
	p.End(errStuck)
	<-p.Done()
	p.kill()
}

// silent reports for how long the process has not written anything.
func (p *process) silent() time.Duration {
	if info, err := os.Stat(p.file); err == nil && info.Size() > p.grown {
		p.grown, p.when = info.Size(), time.Now()
	}
	return time.Since(p.when)
}

// lastWords returns the beginning of the process's standard error.
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
	came int64  // when the line was complete; guarded by mu
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
