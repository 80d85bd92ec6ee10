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

// A Role is the state of a worker process: it was started to run schedules of one
// exploration, and ends with it.
type Role struct {
	Number int
	dir    string // for temporary files
	parent *child.Conn
	brief  chan briefing // holds the one briefing
	Jobs   chan Job
	batch  atomic.Int64 // of the last job received
}

// Serving is this process's role; nil if it is no worker.
var Serving = takeRole()

func takeRole() *Role {
	strategy.RegisterSchedules()
	text, of, _ := strings.Cut(os.Getenv(postEnv), ":")
	if of != workersPkg {
		return nil
	}
	_ = os.Unsetenv(postEnv) // processes that the body starts must not inherit it
	p := &Role{
		dir:    os.Getenv("TMPDIR"), // read now, because the body may change it
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

// listen receives messages of the exploring process. It ends this process as soon as
// the other has ended, whatever this one is doing.
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

// Quit ends a worker process and removes its files.
func (p *Role) Quit(code int, words string) {
	if strings.HasPrefix(filepath.Base(p.dir), workerDir) {
		for range 100 {
			if os.RemoveAll(p.dir) == nil { // else the body, which still runs, has just made a file
				break
			}
		}
	}
	if words != "" { // last, because a broken pipe may end the process
		fmt.Fprintln(os.Stderr, "explore: worker: "+words)
	}
	os.Exit(code)
}

// Told returns the briefing, and waits for it.
func (p *Role) Told() briefing {
	b := <-p.brief
	p.brief <- b
	return b
}

// Earlier returns the result of an exploration before the one for which this
// process was started. The result is the one in the process that started this
// one.
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
	// Try runs one schedule with the given points.
	Try(s schedule.Schedule, points Structure) Course
	// Gone reports whether an execution could not be ended.
	Gone() bool
}

// Serve runs schedules until the exploring process has ended. It does not
// return.
func (p *Role) Serve(id Identity, on runner) {
	p.Tell(Message{Hello: &hello{id}})
	for t := range p.Jobs {
		p.work(on, t)
	}
}

// work runs the schedules of a job and reports their courses.
func (p *Role) work(on runner, t Job) {
	var known []*Report
	last := time.Now()
	for i, next := range t.Schedules {
		if p.batch.Load() != int64(t.Batch) {
			return // the batch is over
		}
		known = append(known, ReportOf(t.Batch, next.Index, on.Try(next.Schedule, t.Points)))
		if i == len(t.Schedules)-1 || on.Gone() || time.Since(last) > often {
			p.Tell(Message{Reports: known})
			known, last = nil, time.Now()
		}
		if on.Gone() {
			p.Quit(1, "an execution could not be ended")
		}
		runtime.Gosched() // lets listen run
	}
}

func (p *Role) Tell(s Message) {
	if err := p.parent.Send(s); err != nil {
		p.Quit(1, err.Error())
	}
}
