package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/protocol"
	"github.com/jacquard-go/jacquard/suite/scratch"
)

// dumpTime is how long a process that is to end has for the stacks of its
// goroutines.
const dumpTime = 5 * time.Second

// errTimeout is why a process is killed if the package's time is over.
var errTimeout = errors.New("timed out")

// A process is one run of a test binary by the protocol. One goroutine at a
// time may use it.
type process struct {
	*child.Process
	dir   string          // of the pipes and of the race detector's reports
	files *scratch.Folder // nil if somebody else removes them
	said  *child.Words
	begun bool   // it has told something: its tests were reached
	last  string // path of what the test was writing, if the process dies in it
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

// start starts the test binary with a request, a folder for temporary files and
// flags of its own. It is killed when ctx ends, with a dump of its goroutines if
// its time is over.
func (r *run) start(ctx context.Context, req protocol.Request, files *scratch.Folder, flags []string, said *child.Words) (*process, error) {
	req.End, _ = ctx.Deadline() // none is zero
	dir, err := os.MkdirTemp(r.temp, "")
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir, said: said, last: filepath.Join(dir, "output")}
	if err := p.start(ctx, r, req, files, flags); err != nil {
		_ = os.RemoveAll(dir) // the error before it matters
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

// environment is that of a package's test binary; the race detector reports into
// the folder.
func environment(p build.Package, reports string) []string {
	return append(executable.Env(os.Environ(), reports), "PWD="+p.Dir, executable.FoldersVar+"="+p.Folders)
}

// dump is the signal for a process that has to end: to write the stacks of its
// goroutines if it took too long, and else none.
func dump(cause error) os.Signal {
	if errors.Is(cause, errTimeout) || isSilence(cause) {
		return syscall.SIGQUIT
	}
	return nil
}

func isSilence(cause error) bool { return errors.As(cause, new(child.Silent)) }

// next is the next event of the process; false if it is over.
func (p *process) next() (protocol.Event, bool) {
	e, ok := protocol.NextEvent(p)
	p.begun = p.begun || ok
	return e, ok
}

// refusal says of a process that ended before a test of it began how it ended, with the
// last of what it wrote.
func refusal(how, said string) string {
	text := "ended before a test began (TestMain or an init function): " + word(how)
	if last := lastLine(strings.TrimSuffix(said, noTests)); last != "" {
		text += ": " + last
	}
	return text
}

// ownPanic matches a panic that began in the code of Jacquard that is in a test binary.
var ownPanic = regexp.MustCompile(`(?m)^(panic: .*)\n(?:.*\n){1,4}goroutine \d+.* \[running.*\]:\n(?:(?:panic|runtime\.).*\n\t.*\n)*internal/jacquard/`)

// gaveUp says why Jacquard itself could not go on in a process that ended so: that is no
// failure of a test. It is "" if the process does not say it, in its last line or by a panic.
func gaveUp(how, said string) string {
	why, ok := strings.CutPrefix(lastLine(said), "jacquard: ")
	if own := ownPanic.FindStringSubmatch(said); !ok && own != nil {
		why, ok = own[1], true
	}
	if !ok || how != "exit status 2" {
		return ""
	}
	return "Jacquard could not go on: " + why
}

// lastLine is the last line of a text that is not empty, or "".
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// grant gives the process another turn, in which so many processes may run
// schedules, and what is found may be reduced for so long; a time of 0 has it end.
func (p *process) grant(d, left time.Duration, processes int) {
	_ = p.Send(protocol.Turn{Time: d, Left: left, Processes: processes}) // a pipe of which this is an end itself
}

// finish waits for the end of the process, drops what it still says, and returns
// how it ended in words; "" is well. Call it once.
func (p *process) finish() string {
	p.Bound(0)
	for more := true; more; {
		_, more = p.next()
	}
	how := p.Close()
	if file, err := os.Open(p.last); err == nil { // else it died elsewhere
		_, _ = io.Copy(p.said, file) // what cannot be read is not there
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

// kill ends the process at once.
func (p *process) kill() {
	p.Kill()
	p.finish()
}
