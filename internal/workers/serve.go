package workers

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A Role is what this process is, if it is a worker: it has been started to run
// schedules of one exploration, and ends with it.
type Role struct {
	Number int
	dir    string // for temporary files
	parent *child.Conn
	brief  chan briefing // one
	Jobs   chan Job
	batch  atomic.Int64 // of the last task
}

// Serving is nil in a process that is no worker.
var Serving = takeRole()

func takeRole() *Role {
	strategy.RegisterSchedules()
	text, of, _ := strings.Cut(os.Getenv(postEnv), ":")
	if of != workersPkg {
		return nil
	}
	_ = os.Unsetenv(postEnv) // it is not for those whom the body starts
	p := &Role{
		dir:    os.Getenv("TMPDIR"), // which the body may change
		parent: child.Beside(child.Gob),
		brief:  make(chan briefing, 1), Jobs: make(chan Job, 64),
	}
	var err error
	if p.Number, err = strconv.Atoi(text); err != nil {
		p.Quit(1, fmt.Sprintf("%s: got %q, want a number", postEnv, text))
	}
	go p.listen()
	return p
}

// listen hears what the exploring process says. It ends this process as soon as
// that one is over, whatever this one is at.
func (p *Role) listen() {
	var b briefing
	if err := p.parent.Receive(&b); err != nil {
		p.Quit(0, "")
	}
	p.brief <- b
	for {
		var t Job
		if err := p.parent.Receive(&t); err != nil {
			p.Quit(0, "")
		}
		p.batch.Store(int64(t.Batch))
		p.Jobs <- t
	}
}

// Quit ends a worker and removes its files.
func (p *Role) Quit(code int, words string) {
	if strings.HasPrefix(filepath.Base(p.dir), workerDir) {
		for range 100 {
			if os.RemoveAll(p.dir) == nil { // else the body, which goes on, has just made a file
				break
			}
		}
	}
	if words != "" { // last: if nobody listens any more that may end the process
		fmt.Fprintln(os.Stderr, "explore: worker: "+words)
	}
	os.Exit(code)
}

// Told is what this process was told first.
func (p *Role) Told() briefing {
	b := <-p.brief
	p.brief <- b
	return b
}

// Earlier is the result of the exploration with a number in its test, if it comes
// before the one that this process is for: it is the one that it had in the process
// that started this one.
func (p *Role) Earlier(number int, name string) (*verdict.Result, error) {
	b := p.Told()
	if number > len(b.Past) {
		p.Quit(1, fmt.Sprintf("got exploration %d (%s), want number %d", number, name, p.Number))
	}
	was := b.Past[number-1]
	if was.Name != name {
		p.Quit(1, fmt.Sprintf("exploration %d: got %s, want %s", number, name, was.Name))
	}
	if was.Err != "" {
		return nil, fmt.Errorf("%s", was.Err)
	}
	return was.Result, nil
}

// A runner runs schedules in a worker.
type runner interface {
	// Try runs one schedule where that is what is a point.
	Try(s schedule.Schedule, points Structure) Course
	// Gone reports whether an execution could not be ended.
	Gone() bool
}

// Serve runs schedules until the exploring process is over. It does not
// return.
func (p *Role) Serve(id Identity, on runner) {
	p.Tell(Message{Hello: &hello{id}})
	for t := range p.Jobs {
		p.work(on, t)
	}
}

// work runs the schedules of a task and reports.
func (p *Role) work(on runner, t Job) {
	var known []*Report
	last := time.Now()
	for i, next := range t.Schedules {
		if p.batch.Load() != int64(t.Batch) {
			return // nobody wants it any more
		}
		known = append(known, ReportOf(t.Batch, next.Index, on.Try(next.Schedule, t.Points)))
		if i == len(t.Schedules)-1 || on.Gone() || time.Since(last) > often {
			p.Tell(Message{Reports: known})
			known, last = nil, time.Now()
		}
		if on.Gone() {
			p.Quit(1, "an execution could not be ended")
		}
		runtime.Gosched() // to the one who listens
	}
}

func (p *Role) Tell(s Message) {
	if err := p.parent.Send(s); err != nil {
		p.Quit(1, err.Error())
	}
}
