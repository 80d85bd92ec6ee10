package workers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A pool runs batches of schedules in this process and in its workers. The results do
// not depend on which process runs a schedule; if a worker fails, the others do its
// work. A pool is used by a single goroutine.
type pool struct {
	ctx      context.Context
	own      func(schedule.Schedule) Course // runs a schedule in this process
	lost     func(w *worker, why error)
	silence  time.Duration // how long a worker with work may be silent
	workers  []*worker
	said     chan said     // messages of all workers; never closed
	batch    int           // number of the current batch
	helped   int           // schedules whose course came first from a worker
	took     time.Duration // moving average for a schedule in this process
	points   int           // decisions of the longest schedule in this process
	listened time.Time
	waited   bool // the last wait ended without a message
}

// A said is a message of a worker, or the error that ends its messages.
type said struct {
	by *worker
	Message
	err error
}

// A worker is a process that runs schedules for this one.
type worker struct {
	jobs  chan<- Job    // read by the goroutine that sends to the worker
	quit  func() string // ends the worker and the goroutines that talk to it, and returns its last words
	gone  bool          // it was given up
	known bool          // its identity is the wanted one
	tried bool          // its first report was compared with a run in this process
	work  []int         // indices in the batch that it has not reported yet, in order
	heard time.Time     // when it last sent a message, or got work
}

// newPool returns a pool without workers.
func newPool(ctx context.Context, own func(schedule.Schedule) Course, lost func(*worker, error), silence time.Duration) *pool {
	return &pool{ctx: ctx, own: own, lost: lost, silence: silence, said: make(chan said, 64)}
}

// A round is a batch that is being run.
type round struct {
	batch   []schedule.Schedule
	points  Structure
	todo    []int     // indices of schedules that no process has, ascending
	courses []*Course // courses received and not yet taken
	known   []bool
	heard   bool // listen was called in this round
	taken   int  // how many courses were taken
}

// Run runs a batch. It calls take for each course, in the order of the schedules,
// on the calling goroutine, until take returns false or an error, or all are
// taken.
func (c *pool) Run(batch []schedule.Schedule, points Structure, take func(schedule.Schedule, Course) (bool, error)) error {
	c.batch++
	r := &round{batch: batch, points: points, courses: make([]*Course, len(batch)), known: make([]bool, len(batch))}
	for i := range batch {
		r.todo = append(r.todo, i)
	}
	defer func() {
		for _, w := range c.workers {
			w.work = nil // unfinished work is void
		}
	}()
	for r.taken < len(batch) {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		switch now := r.courses[r.taken]; {
		case now != nil:
			r.courses[r.taken] = nil
			if more, err := take(batch[r.taken], *now); err != nil || !more {
				return err
			}
			r.taken++
		case c.listen(r): // check again for a course
		case len(r.todo) > 0:
			i := r.todo[0]
			r.todo = r.todo[1:]
			c.do(r, i)
		case !c.wait(r):
			c.do(r, r.last())
		}
	}
	return nil
}

// do runs a schedule in this process.
func (c *pool) do(r *round, i int) {
	began := time.Now()
	mine := c.own(r.batch[i])
	r.courses[i] = &mine
	r.known[i] = true
	c.took = (7*c.took + time.Since(began)) / 8
	c.points = max(c.points, len(mine.Run))
}

// last returns the index of the last schedule without a course. A worker has it, and
// would run it last.
func (r *round) last() int {
	i := len(r.batch) - 1
	for r.known[i] {
		i--
	}
	return i
}

// Bounds on how far ahead workers work. They do not influence the results.
const (
	workTime  = 10 * time.Millisecond // bound on the work of one job
	decisions = 1 << 21               // bound on decisions in courses that are received but not yet taken
)

// give gives work to workers that have little, but leaves the next schedule to this
// process, which can begin at once.
func (c *pool) give(r *round) {
	able, limit := 0, r.taken+decisions/max(c.points, 1)
	for _, w := range c.workers {
		if w.known {
			able++
		}
	}
	for _, w := range c.workers {
		left := len(r.todo) - 1
		if !w.known || left < 1 || len(w.jobs) == cap(w.jobs) {
			continue
		}
		share := min(max(left/(2*(able+1)), 1), int(workTime/max(c.took, time.Microsecond))+1)
		if 2*len(w.work) > share || r.todo[share] >= limit {
			continue
		}
		o := Job{Batch: c.batch, Points: r.points}
		for _, i := range r.todo[1 : 1+share] {
			o.Schedules = append(o.Schedules, numbered{i, r.batch[i]})
			w.work = append(w.work, i)
		}
		r.todo = slices.Delete(r.todo, 1, 1+share)
		w.heard = time.Now()
		w.jobs <- o
	}
}

// often is the interval at which a worker reports while it has work, and at which it is
// listened to. Shorter intervals would cost more than they gain.
const often = 300 * time.Microsecond

// listen processes the messages that the workers have sent, and gives them work, unless
// it was called just before. It reports whether it did.
func (c *pool) listen(r *round) bool {
	if len(c.workers) == 0 || r.heard && time.Since(c.listened) < often {
		return false
	}
	r.heard = true
	for range len(c.workers) {
		runtime.Gosched() // lets the reading goroutines run
		for more := true; more; {
			select {
			case s := <-c.said:
				c.hear(r, s)
			default:
				more = false
			}
		}
	}
	c.watch(r)
	c.give(r)
	c.listened = time.Now()
	return true
}

// wait waits for a message, for as long as a worker is likely to be about to
// report one of the last schedules. It returns false if this process should
// run the schedule itself, because the processor may not be running a
// worker.
func (c *pool) wait(r *round) bool {
	left := 0
	for _, known := range r.known {
		if !known {
			left++
		}
	}
	if left > len(c.workers) || c.waited {
		c.waited = false
		return false
	}
	alarm := time.NewTimer(2*c.took + 50*time.Microsecond)
	defer alarm.Stop()
	select {
	case s := <-c.said:
		c.hear(r, s)
	case <-alarm.C:
		c.waited = true
	case <-c.ctx.Done():
	}
	return true
}

// watch gives up workers that have been silent for too long.
func (c *pool) watch(r *round) {
	for _, w := range slices.Clone(c.workers) {
		if len(w.work) > 0 && time.Since(w.heard) >= c.silence {
			c.lose(r, w, child.Silent(c.silence))
		}
	}
}

// hear processes a message of a worker. r is nil between batches.
func (c *pool) hear(r *round, s said) {
	w := s.by
	if w.gone {
		return
	}
	w.heard = time.Now()
	switch {
	case s.err != nil:
		c.lose(r, w, s.err)
	case s.Hello != nil:
		w.known = true
	case len(s.Reports) == 0 || !w.known:
		c.lose(r, w, errors.New("it said neither who it is nor what came of a schedule"))
	}
	for _, rep := range s.Reports {
		if w.gone || r == nil || rep.Batch != c.batch {
			return // the report is out of date
		}
		if err := c.note(r, w, rep); err != nil {
			c.lose(r, w, err)
		}
	}
}

// note records a report. The first course that a worker reports is compared with one of
// this process.
func (c *pool) note(r *round, w *worker, rep *Report) error {
	if len(w.work) == 0 || rep.Index != w.work[0] {
		return fmt.Errorf("it reported schedule %d of the batch, want the first of %v", rep.Index, w.work)
	}
	i := w.work[0]
	told, err := rep.Course()
	if err != nil {
		return err
	}
	w.work = w.work[1:]
	if w.tried && !r.known[i] {
		r.courses[i], r.known[i] = &told, true
		c.helped++
	}
	if w.tried {
		return nil
	}
	w.tried = true
	mine := c.own(r.batch[i])
	if !r.known[i] {
		r.courses[i], r.known[i] = &mine, true
	}
	if told.Digest != mine.Digest || told.Kind != mine.Kind || told.Order != mine.Order {
		return errors.New("a schedule ran differently there: the body depends on something outside it")
	}
	return nil
}

// lose gives a worker up. Its work returns to r.todo.
func (c *pool) lose(r *round, w *worker, why error) {
	if r != nil {
		for _, i := range w.work {
			if !r.known[i] {
				r.todo = append(r.todo, i)
			}
		}
		slices.Sort(r.todo)
	}
	if words := c.dismiss(w); words != "" {
		why = fmt.Errorf("%w (%s)", why, words)
	}
	c.lost(w, why)
}

// dismiss ends a worker.
func (c *pool) dismiss(w *worker) (words string) {
	words = w.quit()
	w.gone, w.work = true, nil
	c.workers = slices.DeleteFunc(slices.Clone(c.workers), func(other *worker) bool { return other == w })
	return words
}

// end ends all workers.
func (c *pool) end() {
	for len(c.workers) > 0 {
		c.dismiss(c.workers[0])
	}
}
