package suite

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// How long a process that is to end has for the stacks of its goroutines, and
// how long others may still hold its output once it has ended.
const (
	dumpTime = 5 * time.Second
	holdTime = 2 * time.Second
)

// Why a process is killed with a dump of its goroutines.
var (
	errTimeout = errors.New("timed out")       // the package's time is over
	errSilent  = errors.New("it said nothing") // and should have, long ago
)

// A process is one run of a test binary by the protocol. One goroutine at a
// time may use it.
type process struct {
	cmd    *exec.Cmd
	dir    string // of the pipes and of the race detector's reports
	files  *temp  // nil if somebody else removes them
	said   *transcript
	events <-chan protocol.Event // closed when the process is over
	turns  *os.File              // nil if there are none
	err    error                 // of Wait; readable once events is closed
	cancel context.CancelCauseFunc
	cause  func() error // why it was killed; nil if it was not
}

// startTest starts the test binary for one test.
func (r *run) startTest(ctx context.Context, req protocol.Request, test string) (*process, error) {
	files, err := newTemp(r.binary, test)
	if err != nil {
		return nil, err
	}
	req.Temp = files.schedules()
	p, err := r.start(ctx, req, files, r.flagsOf(test), &transcript{limit: explored})
	if err != nil {
		files.remove()
		return nil, err
	}
	p.files = files
	return p, nil
}

// start starts the test binary with a request, a folder for temporary files and
// flags of its own. It is killed when ctx ends, with a dump of its goroutines if
// its time is over.
func (r *run) start(ctx context.Context, req protocol.Request, files *temp, flags []string, said *transcript) (*process, error) {
	req.End, _ = ctx.Deadline() // none is zero
	dir, err := os.MkdirTemp(r.temp, "")
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir, said: said}
	ctx, p.cancel = context.WithCancelCause(ctx)
	p.cause = func() error { return context.Cause(ctx) }
	if err := p.start(ctx, r, req, files, flags); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		p.cancel(nil)
		_ = os.RemoveAll(dir) // the error before it matters
		return nil, fmt.Errorf("starting the tests: %w", err)
	}
	return p, nil
}

func (p *process) start(ctx context.Context, r *run, req protocol.Request, files *temp, flags []string) error {
	req.Events, req.Output = filepath.Join(p.dir, "events"), filepath.Join(p.dir, "output")
	pipe, err := makePipe(req.Events)
	if err != nil {
		return err
	}
	if req.Turns != "" {
		req.Turns = filepath.Join(p.dir, "turns")
		if p.turns, err = makePipe(req.Turns); err != nil {
			return errors.Join(err, pipe.Close())
		}
	}
	file := filepath.Join(p.dir, "request")
	if err := req.Write(file); err != nil {
		return errors.Join(err, pipe.Close(), p.hangUp())
	}
	p.cmd = exec.CommandContext(ctx, r.binary, flags...)
	p.cmd.Dir = r.Dir
	p.cmd.Env = append(environment(r.listed, p.dir), files.entry(), protocol.RequestVar+"="+file)
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	p.cmd.WaitDelay = dumpTime + holdTime
	p.cmd.Cancel = func() error { return end(ctx, p.cmd) }
	ownGroup(p.cmd)
	tie(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return errors.Join(err, pipe.Close(), p.hangUp())
	}
	events := make(chan protocol.Event)
	p.events = events
	go p.wait(pipe, req.Output)
	go read(pipe, events)
	return nil
}

// environment is that of a package's test binary; the race detector reports into
// the folder.
func environment(p listed, reports string) []string {
	return append(executable.Env(os.Environ(), reports), "PWD="+p.Dir)
}

// end ends a process whose context is over.
func end(ctx context.Context, cmd *exec.Cmd) error {
	if cause := context.Cause(ctx); errors.Is(cause, errTimeout) || errors.Is(cause, errSilent) {
		dump(cmd.Process)
		return nil // WaitDelay will see to it if it does not die
	}
	killGroup(cmd.Process)
	return nil
}

// over is the last line in the pipe of events.
const over = "over"

// wait waits for the end of the process and says so behind its last event.
func (p *process) wait(pipe *os.File, output string) {
	p.err = p.cmd.Wait()
	killGroup(p.cmd.Process) // nothing that it has started stays
	p.hear(output)
	// The line before may lack its end.
	_, _ = fmt.Fprintf(pipe, "\n%s\n", over) // who reads has it open
}

// hear adds to what the process has said what the test was writing that it died
// in, if there is such a file.
func (p *process) hear(output string) {
	file, err := os.Open(output)
	if err != nil {
		return // it died elsewhere
	}
	defer file.Close()
	_, _ = io.Copy(p.said, file) // what cannot be read is not there
}

// read passes events on until the process is over. A line that is none was cut
// off by the process's death.
func read(pipe *os.File, events chan<- protocol.Event) {
	defer close(events)
	defer pipe.Close()
	for lines := bufio.NewReader(pipe); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil || string(line) == over+"\n" {
			return
		}
		var e protocol.Event
		if json.Unmarshal(line, &e) == nil {
			events <- e
		}
	}
}

// grant gives the process another turn, in which so many processes may run
// schedules; a time of 0 has it end.
func (p *process) grant(d time.Duration, processes int) { _ = protocol.Grant(p.turns, d, processes) } // a pipe of which this is an end itself

// finish waits for the end of the process, drops what it still says, and returns
// how it ended in words; "" is well. Call it once.
func (p *process) finish() string {
	for range p.events {
	}
	p.cancel(nil)
	_ = p.hangUp()          // it is over
	_ = os.RemoveAll(p.dir) // nothing depends on it
	if p.files != nil {
		p.files.remove()
	}
	if p.cmd.ProcessState == nil {
		return p.err.Error()
	}
	if errors.Is(p.err, exec.ErrWaitDelay) || p.err == nil {
		return ""
	}
	return p.cmd.ProcessState.String()
}

// kill ends the process at once.
func (p *process) kill() {
	killGroup(p.cmd.Process)
	p.finish()
}

func (p *process) hangUp() error {
	if p.turns == nil {
		return nil
	}
	return p.turns.Close()
}
