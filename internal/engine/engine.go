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

// An Engine runs executions of one body, one after the other, and keeps what they
// share. It knows nothing of what they are run for.
type Engine struct {
	Context   context.Context
	Settings  Settings
	Body      func(*T)
	Sites     *source.Sites
	races     *racelog.Log
	Memory    []uintptr // racing accesses, which are points; sorted
	heap      heap
	Free      freeList // memory of executions that are over
	temp      system.TempRoot
	plain     plainNames
	Leakage   Leakage
	Keeping   Keeping
	Observers Observers // of the program, as far as they are known
	seenOutside
	progress
	restore func() // puts back what has been set for the whole process
}

// A progress is how far an engine has come.
type progress struct {
	Lost      bool          // an execution could not be ended
	SettledIn bool          // there has been an execution
	First     bool          // the next executions are the first of all, with which there is more patience
	Tracking  bool          // every execution gets a tracker
	Usual     int           // operations of the default schedule, if it has come to its end
	callsBack bool          // code in C has woken a task
	signalled bool          // signals have come
	inVain    time.Duration // what was under way, as it seemed, has been waited for without its coming
}

// NewEngine returns an engine for a process that is under control. It sets what the
// process has to be like until close.
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
	stack := debug.SetMaxStack(MaxStack)
	procs := runtime.GOMAXPROCS(1) // the program may have set it; see package control
	_, _ = time.Unix(0, 0).Zone()  // the first look at the local time reads a file
	unwatch := x.watch()
	x.restore = func() {
		unwatch()
		x.temp.Remove()
		control.SetMemory(nil)
		debug.SetGCPercent(gc)
		debug.SetMaxStack(stack)
		runtime.GOMAXPROCS(procs)
		x.races.Close()
	}
	return x, nil
}

// Close puts the process back.
func (x *Engine) Close() { x.restore() }
