package litmus

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Run is one execution of a program on real goroutines.
type Run struct {
	program Program
	objects []object
	results [][]int64
	plain   bool // Outcome may be called while tasks run
	ended   atomic.Int64
	begun   []int64 // by task: how many of the tasks that are alike have begun
	paused  []int64 // by task: see pause

	// Go, if not nil, starts a task in a goroutine with a name.
	Go func(name string, f func())
	// Note, if not nil, is called by each task before each of its operations, with Never,
	// and after it with its result.
	Note func(task, op, result int)
}

// An object is an Object of the program in one run. Only the field of its kind is
// used.
type object struct {
	n      int64 // used by package sync/atomic
	word   uint64
	value  atomic.Value
	plain  int64
	mu     sync.Mutex
	rw     sync.RWMutex
	ch     chan int
	group  sync.WaitGroup
	once   sync.Once
	cond   *sync.Cond
	m      sync.Map
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	pool   sync.Pool
}

// NewRun returns an execution that has not begun. In a plain one Outcome may be
// called while tasks run; under control that would add scheduling points.
func NewRun(p Program, plain bool) *Run {
	r := &Run{program: p, objects: make([]object, len(p.Objects)), plain: plain, begun: make([]int64, len(p.Tasks)), paused: make([]int64, len(p.Tasks))}
	for i, o := range p.Objects {
		x := &r.objects[i]
		switch o.Kind {
		case Chan:
			x.ch = make(chan int, o.Size)
		case Group:
			x.group.Add(o.Size)
		case Cond:
			x.cond = sync.NewCond(new(sync.Mutex))
		case Context:
			x.ctx, x.cancel = context.WithCancelCause(context.Background())
		}
	}
	for i, o := range p.Objects { // last, so that no goroutine is held up after the first
		if o.Kind == Timer {
			n := &r.objects[i-1].n
			r.objects[i].timer = time.AfterFunc(ms(o.Size), func() { atomic.AddInt64(n, 1) })
		}
	}
	for _, ops := range p.Tasks {
		results := make([]int64, len(ops))
		for i := range results {
			results[i] = Never
		}
		r.results = append(r.results, results)
	}
	return r
}

// Task runs task i, which starts other tasks by its Start operations.
func (r *Run) Task(i int) {
	if r.plain {
		defer r.ended.Add(1)
	}
	last := 0
	for k := 0; k < len(r.program.Tasks[i]); k++ {
		op := r.program.Tasks[i][k]
		r.note(i, k, Never)
		r.pause(i, op)
		got := r.safely(op, last)
		r.note(i, k, got)
		r.set(i, k, got)
		last = got
		if got == Panicked {
			return
		}
		if (op.Verb == TryLock || op.Verb == TryRLock) && got == 0 {
			for range op.Skip {
				k++
				r.set(i, k, Skipped)
			}
		}
	}
}

// End takes a step after task 0.
func (r *Run) End() { atomic.LoadInt64(&r.paused[0]) }

// pause takes a step before an operation that reads the time, which is none itself.
func (r *Run) pause(task int, op Op) {
	if op.Verb == Sleep || op.Verb == TimerReset || op.Verb == Select && op.Arg == 2 {
		atomic.LoadInt64(&r.paused[task])
	}
}

// start starts a task, and the More tasks after it. Between two starts it reads nothing
// shared, or the tasks would not be alike.
func (r *Run) start(op Op) {
	between, named := &r.objects[op.On].n, r.Go
	for i := range op.More + 1 {
		if op.Between && i > 0 {
			atomic.StoreInt64(between, int64(op.Old))
		}
		switch {
		case named != nil:
			named(fmt.Sprint("task ", op.Arg+i), func() { r.Task(op.Arg + i) })
		case op.Alike:
			r.startOne(op.Arg)
		default:
			r.startOne(op.Arg + i)
		}
	}
}

// startOne starts a task, or the next of several tasks that are alike, whose order no
// task can observe.
func (r *Run) startOne(task int) {
	go func() { r.Task(task + r.begins(task)) }()
}

// begins counts the tasks alike that have begun before. The race detector does not see it.
//
//go:norace
func (r *Run) begins(task int) int {
	if r.plain {
		return int(atomic.AddInt64(&r.begun[task], 1)) - 1
	}
	r.begun[task]++
	return int(r.begun[task]) - 1
}

func (r *Run) note(task, op, result int) {
	if r.Note != nil {
		r.Note(task, op, result)
	}
}

func (r *Run) set(task, op, result int) { r.put(&r.results[task][op], result) }

func (r *Run) put(value *int64, v int) {
	if r.plain {
		atomic.StoreInt64(value, int64(v))
	} else {
		*value = int64(v)
	}
}

func (r *Run) get(value *int64) int {
	if r.plain {
		return int(atomic.LoadInt64(value))
	}
	return int(*value)
}

// Ended reports whether all tasks of a plain run have ended.
func (r *Run) Ended() bool { return int(r.ended.Load()) == len(r.program.Tasks) }

// Results returns the results of every operation so far, by task.
func (r *Run) Results() [][]int {
	results := make([][]int, len(r.results))
	for i := range results {
		for k := range r.results[i] {
			results[i] = append(results[i], r.get(&r.results[i][k]))
		}
	}
	return results
}

// Outcome returns the outcome of the run so far.
func (r *Run) Outcome() Outcome {
	var finals []int
	for i, o := range r.program.Objects {
		switch o.Kind {
		case Int:
			finals = append(finals, r.get(&r.objects[i].n))
		case Plain:
			finals = append(finals, r.get(&r.objects[i].plain))
		}
	}
	return r.program.outcome(r.Results(), finals)
}

// safely returns Panicked if the operation panics.
func (r *Run) safely(op Op, last int) (result int) {
	defer func() {
		if recover() != nil {
			result = Panicked
		}
	}()
	arg := op.Arg
	if op.Last {
		arg += last
	}
	switch op.Verb {
	case Gosched:
		runtime.Gosched()
		return 0
	case Sleep:
		time.Sleep(ms(op.Arg))
		return 0
	case Start:
		r.start(op)
		return 0
	case Select:
		return r.choose(op)
	}
	x := &r.objects[op.On]
	switch r.program.Objects[op.On].Kind {
	case Int:
		return x.atomic(op, arg)
	case Word:
		return x.halves(op, arg)
	case Value:
		return x.any(op, arg)
	case Chan:
		if op.Reflect {
			return x.reflected(op, arg)
		}
		return x.channel(op, arg)
	case Map:
		return x.syncMap(op, arg)
	}
	return r.sync(x, op, arg)
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
