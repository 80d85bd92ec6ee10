package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
	"github.com/jacquard-go/jacquard/suite/scratch"
)

// dumpTime is how long a process that must end may take to write the stacks of its goroutines.
const dumpTime = 5 * time.Second

// errTimeout is the cause of killing a process when the package's time is over.
var errTimeout = errors.New("timed out")

// A process is one run of a test binary under the protocol. One goroutine at a time may use it.
type process struct {
	*child.Process
	dir   string          // of the pipes and of the race detector's reports
	files *scratch.Folder // nil if the caller removes them
	said  *child.Words
	begun bool   // it has sent an event, so its tests were reached
	last  string // path of the file with the test's output, for a process that dies
}

// startTest starts the test binary for one test.
func (r *run) startTest(ctx context.Context, req protocol.Request, test string) (*process, error) {
	files, err := scratch.New(r.Binary, test)
	if err != nil {
		return nil, err
	}
	req.Temp = files.Schedules()
	p, err := r.start(ctx, req, files, r.flagsOf(test), &child.Words{Limit: explored})
	if err != nil {
		files.Remove()
		return nil, err
	}
	p.files = files
	return p, nil
}

// start starts the test binary with a request, a folder for temporary files and flags. It is killed
// when ctx ends, with a dump of its goroutines if its time is over.
func (r *run) start(ctx context.Context, req protocol.Request, files *scratch.Folder, flags []string, said *child.Words) (*process, error) {
	req.End, _ = ctx.Deadline() // zero without a deadline
	dir, err := os.MkdirTemp(r.temp, "")
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir, said: said, last: filepath.Join(dir, "output")}
	if err := p.start(ctx, r, req, files, flags); err != nil {
		_ = os.RemoveAll(dir) // the earlier error matters more
		return nil, fmt.Errorf("starting the tests: %w", err)
	}
	return p, nil
}

func (p *process) start(ctx context.Context, r *run, req protocol.Request, files *scratch.Folder, flags []string) (err error) {
	req.Events, req.Output = filepath.Join(p.dir, "events"), p.last
	if req.Turns != "" {
		req.Turns = filepath.Join(p.dir, "turns")
	}
	file := filepath.Join(p.dir, "request")
	if err := req.Write(file); err != nil {
		return err
	}
	cmd := exec.Command(r.Binary, flags...)
	cmd.Dir = r.Dir
	cmd.Env = append(environment(r.Package, p.dir), files.Entry(), protocol.RequestVar+"="+file)
	p.Process, err = child.Start(ctx, cmd, child.Options{
		Wire: child.Lines, From: req.Events, To: req.Turns, Words: p.said, Output: true, Ask: dump, Grace: dumpTime,
	})
	return err
}

// environment returns the environment of a package's test binary; the race detector reports into
// the folder.
func environment(p build.Package, reports string) []string {
	return append(executable.Env(os.Environ(), reports), "PWD="+p.Dir, executable.FoldersVar+"="+p.Folders)
}

// dump returns the signal for a process that must end: SIGQUIT, to write the stacks of its
// goroutines, if it took too long, and otherwise none.
func dump(cause error) os.Signal {
	if errors.Is(cause, errTimeout) || isSilence(cause) {
		return syscall.SIGQUIT
	}
	return nil
}

func isSilence(cause error) bool { return errors.As(cause, new(child.Silent)) }

// next returns the next event of the process; false if it has ended.
func (p *process) next() (protocol.Event, bool) {
	e, ok := protocol.NextEvent(p)
	p.begun = p.begun || ok
	return e, ok
}

// refusal describes how a process ended before any test of it began, with the last line that it
// wrote.
func refusal(how, said string) string {
	text := "ended before a test began (TestMain or an init function): " + word(how)
	if last := output.LastLine(strings.TrimSuffix(said, noTests)); last != "" {
		text += ": " + last
	}
	return text
}

// grant gives the process a turn in which this many processes may run schedules, and failures may
// be reduced for left; a d of 0 makes it end.
func (p *process) grant(d, left time.Duration, processes int) {
	_ = p.Send(protocol.Turn{Time: d, Left: left, Processes: processes}) // this process holds an end of the pipe itself
}

// finish waits for the end of the process, discards its remaining events, and returns how it ended;
// "" on success. Call it once.
func (p *process) finish() string {
	p.Bound(0)
	for more := true; more; {
		_, more = p.next()
	}
	how := p.Close()
	if file, err := os.Open(p.last); err == nil { // otherwise it died elsewhere
		_, _ = io.Copy(p.said, file) // on an error the text is shorter
		_ = file.Close()
	}
	_ = os.RemoveAll(p.dir) // nothing depends on it
	if p.files != nil {
		p.files.Remove()
	}
	if how.State != nil && how.State.Success() {
		return ""
	}
	return how.String()
}

// kill kills the process at once.
func (p *process) kill() {
	p.Kill()
	p.finish()
}
