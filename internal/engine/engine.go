package engine

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/racelog"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/system"
)

// An Engine runs executions of one body, one after the other, and keeps the state that they
// share. It does not know the purpose of an execution. It is not safe for concurrent use.
type Engine struct {
	Context   context.Context
	Settings  Settings
	Body      func(*T)
	Sites     *source.Sites
	races     *racelog.Log
	Memory    []uintptr // addresses of racing accesses, which are points; sorted
	heap      heap
	Free      freeList // memory of past executions, for reuse
	temp      system.TempRoot
	plain     plainNames
	Leakage   Leakage
	Watched   bool      // the next executions are, for what they use as an earlier one has left it
	Observers Observers // of the program, as far as known
	seenOutside
	progress
	restore func() // undoes the process-wide settings of NewEngine
}

// A progress is what an engine has learnt from its executions so far.
type progress struct {
	Lost      bool          // an execution could not be ended
	SettledIn bool          // an execution of this process has ended normally
	First     bool          // the next executions are the very first, which get more patience
	Tracking  bool          // every execution gets a tracker
	Usual     int           // operations of the default schedule, if it has ended; else 0
	callsBack bool          // code in C has woken a task
	signalled bool          // signals have arrived
	inVain    time.Duration // real time spent waiting for data that seemed under way but did not arrive
}

// NewEngine returns an engine for a process that is under control. It changes
// process-wide settings, which Close restores.
func NewEngine(ctx context.Context, cfg Settings, body func(*T)) (*Engine, error) {
	log, err := racelog.Open()
	if err != nil {
		return nil, err
	}
	x := &Engine{Context: ctx, Settings: cfg, Body: body, races: log, Sites: source.NewSites(cfg.Trust, cfg.Streams, cfg.Targets), plain: newPlainNames(), progress: progress{First: true}}
	for _, f := range cfg.Streams {
		control.AsStream(f)
	}
	gc := debug.SetGCPercent(-1) // the collector would be an uncontrolled goroutine
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, heapLimit)) // for a step that alone needs so much
	stack := debug.SetMaxStack(MaxStack)
	procs := runtime.GOMAXPROCS(1) // the program may have set it; see package control
	_, _ = time.Unix(0, 0).Zone()  // the first use of the local time zone reads a file
	unwatch := x.watch()
	x.restore = func() {
		unwatch()
		x.temp.Remove()
		control.SetMemory(nil)
		debug.SetGCPercent(gc)
		debug.SetMemoryLimit(limit)
		debug.SetMaxStack(stack)
		runtime.GOMAXPROCS(procs)
		x.races.Close()
	}
	return x, nil
}

// Close restores the process-wide settings.
func (x *Engine) Close() { x.restore() }
