package explore

import (
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The file descriptors by which a worker talks to the process that started it.
const (
	workerIn  = 3
	workerOut = 4
)

// A post is what this process is, if it is a worker: it has been started to run
// schedules of one exploration, and ends with it.
type post struct {
	number int
	dir    string // for temporary files
	say    *gob.Encoder
	brief  chan briefing // one
	tasks  chan task
	batch  atomic.Int64 // of the last task
}

// posted is nil in a process that is no worker.
var posted = takePost()

func takePost() *post {
	registerSchedules()
	text, of, _ := strings.Cut(os.Getenv(postEnv), ":")
	if of != selfPkg {
		return nil
	}
	_ = os.Unsetenv(postEnv) // it is not for those whom the body starts
	for _, fd := range []int{workerIn, workerOut} {
		keepFromChildren(fd)
	}
	p := &post{
		dir:   os.Getenv("TMPDIR"), // which the body may change
		say:   gob.NewEncoder(os.NewFile(workerOut, "to the exploring process")),
		brief: make(chan briefing, 1), tasks: make(chan task, 64),
	}
	var err error
	if p.number, err = strconv.Atoi(text); err != nil {
		p.quit(1, fmt.Sprintf("%s: got %q, want a number", postEnv, text))
	}
	go p.listen(os.NewFile(workerIn, "from the exploring process"))
	return p
}

// listen hears what the exploring process says. It ends this process as soon as
// that one is over, whatever this one is at.
func (p *post) listen(in io.Reader) {
	hear := gob.NewDecoder(in)
	var b briefing
	if err := hear.Decode(&b); err != nil {
		p.quit(0, "")
	}
	p.brief <- b
	for {
		var t task
		if err := hear.Decode(&t); err != nil {
			p.quit(0, "")
		}
		p.batch.Store(int64(t.Batch))
		p.tasks <- t
	}
}

// quit ends a worker and removes its files.
func (p *post) quit(code int, words string) {
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

// run is Run in a worker: an exploration that comes before its own has the
// result that it had in the process that started this one.
func (p *post) run(x *explorer) (*Result, error) {
	if x.at.number == p.number {
		p.serve(x)
	}
	b := <-p.brief
	p.brief <- b
	if x.at.number > len(b.Past) {
		p.quit(1, fmt.Sprintf("got exploration %d (%s), want number %d", x.at.number, x.cfg.Name, p.number))
	}
	was := b.Past[x.at.number-1]
	if was.Name != x.cfg.Name {
		p.quit(1, fmt.Sprintf("exploration %d: got %s, want %s", x.at.number, x.cfg.Name, was.Name))
	}
	if was.Err != "" {
		return nil, fmt.Errorf("%s", was.Err)
	}
	return was.Result, nil
}

// serve runs schedules until the exploring process is over. It does not
// return.
func (p *post) serve(x *explorer) {
	if ok, err := x.repeatable(); !ok || err != nil {
		p.quit(1, fmt.Sprintf("%s %v", x.result.Reason, err))
	}
	id, err := x.identity()
	if err != nil {
		p.quit(1, err.Error())
	}
	x.result.Schedules = 1 // the first executions, which have more patience, are over
	p.tell(saying{Hello: &hello{id}})
	for t := range p.tasks {
		x.memory = x.memory[:0]
		for _, pc := range t.Memory {
			x.memory = append(x.memory, absolute(pc))
		}
		p.work(x, t)
	}
}

// work runs the schedules of a task and reports.
func (p *post) work(x *explorer, t task) {
	var known []*report
	last := time.Now()
	for i, next := range t.Schedules {
		if p.batch.Load() != int64(t.Batch) {
			return // nobody wants it any more
		}
		known = append(known, reportOf(t.Batch, next.Index, x.try(next.Schedule)))
		if i == len(t.Schedules)-1 || x.lost || time.Since(last) > often {
			p.tell(saying{Reports: known})
			known, last = nil, time.Now()
		}
		if x.lost {
			p.quit(1, "an execution could not be ended")
		}
		runtime.Gosched() // to the one who listens
	}
}

func (p *post) tell(s saying) {
	if err := p.say.Encode(s); err != nil {
		p.quit(1, err.Error())
	}
}
