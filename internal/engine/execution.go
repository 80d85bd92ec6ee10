package engine

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/locks"
	"github.com/jacquard-go/jacquard/internal/racelog"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/system"
)

// Bounds that make every execution end.
const (
	runAlone  = 1000 // a quantum: decisions in a row after which a goroutine must let others run
	afterRoot = 200  // timers that may fire after the body has returned
	afterFail = 5000 // the same where living by timers is a failure
	afterMade = 200  // decisions after the body before outlive may give up early
	afterBusy = 5000 // decisions after the body before outlasted may give up
)

// An Execution is one run of the body.
type Execution struct {
	Engine  *Engine
	Control *control.Execution
	t       *T
	pick    schedule.Picker
	Trace   Recorder       // nil unless the execution is shown
	Tracker *Tracker       // nil unless a card is made or followed
	point   schedule.Point // reused
	enabled enabled
	locks   locks.Table
	chosen
	advances
	fairness
	ordering
	atCode
	taskNames
	remnants
}

// chosen holds the decisions so far.
type chosen struct {
	Run     []schedule.Decision
	Nth     []int          // by task: decisions made while it was the last to run
	hash    uint64         // of everything that happened, in order
	Own     uint64         // of what the program's own code did, in order; see repeatable
	ran     uint32         // task that ran last
	Last    uint32         // the same, ignoring tasks that run without a decision; see sites.owns
	streak  int            // decisions in a row that chose it though others could run
	Forced  bool           // the strategy is no longer asked
	Quantum bool           // others ran when a goroutine that could go on had used up its quantum
	Stopped bool           // the strategy has stopped, because it knows the rest
	known   schedule.Trace // the trace up to the stop; see Ran
}

// advances says how far an execution has come.
type advances struct {
	Steps    int
	Made     int           // steps, including uncounted ones of a task that goes solo
	soon     int           // exhausted is not checked until so many steps are made
	solos    int           // steps in a row of a task that goes solo
	timed    int           // how often the count of solos began anew; see beside
	booked   int           // the value of Made when running time was last booked
	late     bool          // time has passed since the last step
	fired    int           // timers fired since the body has returned
	bodyMade int           // the value of Made when the body returned
	busy     bool          // goroutines went on for long after that, perhaps for ever
	Pending  bool          // at the end timers were still to fire
	delayed  time.Duration // real time spent waiting; see calledBack
}

// A fairness keeps one goroutine from running for ever while others wait.
type fairness struct {
	pace   pace
	turns  turns
	idle   idle
	Spins  spins
	Slices slicing
	Stalls stalls
}

// An ordering records the order of steps, for strategies and reports.
type ordering struct {
	Objects   source.Objects
	pending   []schedule.Operation // by task: its next operation
	conds     map[uint32]uint32    // task → the condition variable whose Wait it is in
	rooms     []int                // by object: capacity of a channel, see [schedule.Step]; unknown for others
	selects   schedule.OpenSelects
	Trail     []schedule.Step
	announced int      // steps whose task has announced its next operation
	times     uint32   // of control.Execution.Timely, as far as the steps tell it
	waits     uint32   // the same
	causes    []uint32 // by task: the step that started or woke it, from 1; 0 is none
	Sum       uint64   // see order
	twins     twins
}

// atCode caches what is known of the code that tasks are at.
type atCode struct {
	sites  []*source.Site // by task: its pending site, found by ex.site; nil after a step
	owned  []bool         // by task: see sites.owns
	seen   glance         // what the running task's operation found
	trust  map[uint32]entry
	begins bool // the current step is a task's first

	insight *source.Insight // nil unless the strategy asks
}

// taskNames holds the names of tasks for reports.
type taskNames struct {
	given     map[uint32]string  // names given by T.Go and T.Named
	old       uint32             // leftover goroutines, whose numbers follow that of the first task
	promised  map[uint32]promise // by task that is about to start a named goroutine
	borrowers map[uint32]string  // names of tasks that begin in a package that the program uses; see borrows
	told      []string           // by task: the result of [Execution.Name], as far as computed
	alike     map[bareName]int   // how many tasks in told have each bare name
}

// remnants holds what an execution leaves when it is over.
type remnants struct {
	Out       Outcome
	remains   map[uint32]Leftover // tasks that have outlived the body
	Outside   string              // something outside the execution that it depended on
	racers    []racelog.Later     // the tasks that made the later accesses of race reports
	Notes     control.Notes
	calls     uint64 // system calls
	heard     uint64 // of calls, at the last look for signals
	Astray    bool   // an earlier execution has left an initial goroutine elsewhere: this execution concludes nothing
	arrived   uint64 // of calls, at the last look at the traffic
	traffic   system.Traffic
	writes    uint64        // of calls, those that write to standard output or error
	Timed     bool          // a timer has fired
	Networked bool          // the network was waited for
	Timers    bool          // a timer was set while goroutines could run
	Lasted    time.Duration // virtual time from the start to the end of the body; negative if the body did not end

	Observed Observers // observers found in this execution
}

// A Recorder observes an execution step by step. It may query the execution, but
// changes nothing.
type Recorder interface {
	// Before is called when m is about to do what it has announced. It reports whether
	// After is to be called.
	Before(ex *Execution, m *control.Task) bool
	// After is called when m has done it.
	After(ex *Execution, m *control.Task)
	Shows() bool // the recording will be read, so the execution may take longer
	// Log adds a line that the program wrote; see [Host].Logged.
	Log(task uint32, text string, kind LogKind) *string
}

// An attached picker needs access to the execution.
type attached interface{ Attach(*Execution) }

// Execute runs the body once, under p, with the random choices of seed.
func (x *Engine) Execute(p schedule.Picker, seed uint64, trace Recorder) *Execution {
	ex := x.Free.next(x)
	ex.pick, ex.Trace = p, trace
	if a, ok := p.(attached); ok {
		a.Attach(ex)
	}
	return x.start(ex, seed)
}

// ExecuteWith is Execute for a picker that is made from the execution.
func (x *Engine) ExecuteWith(p func(*Execution) schedule.Picker, seed uint64, trace Recorder) *Execution {
	ex := x.Free.next(x)
	ex.Trace = trace
	ex.pick = p(ex)
	return x.start(ex, seed)
}

func (x *Engine) start(ex *Execution, seed uint64) *Execution {
	if x.Settings.Prepare != nil {
		x.Settings.Prepare()
	}
	ex.t = newT(x, ex)
	ex.Astray = control.Astray()
	ex.Spins.turns = SpinTurns[seed%4]
	if _, ok := ex.pick.(schedule.Insider); ok {
		ex.insight = source.NewInsight(ex.Objects.Number)
	}
	ex.stallFor(seed)
	ex.soon = min(fewSteps, x.Settings.MaxSteps/2)
	ex.turns.rng = schedule.RNG(seed)
	if x.Tracking && ex.Tracker == nil {
		ex.Tracker = NewTracker(ex)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // see unreadable
	ex.Control = control.Start(seed)
	ex.Control.Calls() // discards the calls made before this execution
	ex.Lasted = -time.Duration(ex.Control.Now())
	control.SetMemory(x.Memory)
	control.SetEnding(x.Observers&countsTasks != 0, x.Observers&outlivesBody != 0)
	control.SetFiles(x.Observers&sharesFiles != 0)
	if x.Watched {
		control.WatchVariables()
	}
	ex.Control.Spawn(func() { ex.t.body(x.Body) })
	ex.loop()
	if control.FilesShared() {
		ex.Observed |= sharesFiles
	}
	ex.leftovers()
	ex.release()
	ex.systemCalls()
	_, ex.Pending = ex.Control.NextMoment()
	stay := x.Settings.Residents && ex.Returned()
	ex.Control.Finish(stay && !x.SettledIn, stay)
	x.SettledIn = x.SettledIn || ex.Returned()
	if ex.Notes |= ex.Control.Notes(); x.Watched && control.VariablesRead() {
		ex.Notes |= control.NoteKept
	}
	x.Notes |= ex.Notes
	if x.Outside == "" {
		x.Outside = ex.Outside
	}
	ex.conclude()
	if ex.twins.asked && ex.Notes&(control.NoteRandom|control.NoteMaps|control.NoteNumber) != 0 {
		ex.Observed |= drawsLots
	}
	if schedule.Shared(ex.Trail) {
		ex.Observed |= sharesGroups
	}
	if ex.Trace != nil {
		ex.Control = ex.Control.Kept()
	}
	ex.Sum = x.Free.order.Of(ex.Trail, func(id uint32) uint64 { return ex.Control.Task(int(id)).Path })
	x.temp.Clear()
	x.collect()
	return ex
}

// stop ends the strategy's part in the execution: the strategy already knows what follows.
func (ex *Execution) stop() {
	ex.known = ex.Ran()
	ex.Stopped, ex.pick = true, schedule.DefaultPick{}
}

// Ran returns the trace that the strategy receives. If the strategy has stopped, its
// trace ends there. The rest has run all the same, without choices, so that no task was
// left in the middle of its work: a lock of a package that a task held would stay locked.
func (ex *Execution) Ran() schedule.Trace {
	t := schedule.Trace{
		Decisions: ex.Run, Polled: ex.Spins.Polled, Steps: ex.Trail, Forced: ex.Forced, Rested: ex.Spins.Cut, Opaque: ex.Opaque(),
		Spent: ex.Stalls.Short,
	}
	if k := ex.known; ex.Stopped {
		t.Decisions, t.Steps, t.Polled, t.Forced, t.Rested, t.Spent = t.Decisions[:len(k.Decisions)], t.Steps[:len(k.Steps)], k.Polled, k.Forced, k.Rested, k.Spent
	}
	return t
}

// loop steps tasks until nothing is left to do.
func (ex *Execution) loop() {
	for {
		if !ex.Slices.Coarse {
			ex.Tracker.arrived()
		}
		if ex.over() {
			return
		}
		ex.announce()
		runnable, current := ex.awake(ex.runnable())
		if len(runnable) == 0 {
			if !ex.wait() {
				return
			}
			continue
		}
		if ex.overtaken() {
			continue
		}
		ex.Made++
		if !ex.solo(runnable) {
			ex.Steps++
		}
		if ex.Made > ex.soon && ex.exhausted() {
			return
		}
		if ex.sliced(runnable) {
			continue
		}
		id, selected, decided := ex.choose(runnable, current)
		if decided && id == schedule.Clock {
			ex.stall(runnable)
			continue
		}
		ex.step(id, selected, decided)
	}
}

// over reports whether the execution must end although tasks are left.
func (ex *Execution) over() bool {
	c := ex.Control
	return (c.Stalled() || c.Full() || ex.ran != 0 && c.Task(int(ex.ran)).State > control.Exited) && ex.broken()
}

// broken records why the execution must end, if it must.
func (ex *Execution) broken() bool {
	switch {
	case ex.Control.Stalled():
		ex.Engine.Lost = true
		ex.Out.Unknown = fmt.Sprintf("goroutine %q ran for %v without a scheduling point, or waits for something outside the execution", ex.Name(ex.ran), ex.Engine.Settings.Watchdog)
		return true
	case ex.Control.Full():
		ex.Out.Unknown = fmt.Sprintf("more than %d goroutines", control.MaxTasks)
		return true
	case ex.ran == 0:
		return false
	}
	switch ex.Control.Task(int(ex.ran)).State {
	case control.Panicked:
		v, _, pcs := ex.Control.Crash()
		ex.Out.Stack = slices.Clone(pcs)
		ex.Out.panicked = &v
		return true
	case control.Fatal:
		_, msg, pcs := ex.Control.Crash()
		ex.Out.Stack = slices.Clone(pcs)
		ex.Out.fail(KindFatal, "fatal error: "+msg)
		return true
	case control.Stuck:
		_, msg, pcs := ex.Control.Crash()
		ex.Out.Stack = slices.Clone(pcs)
		ex.burst(msg)
		return true
	case control.Quit:
		_, _, pcs := ex.Control.Crash()
		ex.Out.Stack = slices.Clone(pcs)
		ex.Out.fail(KindExit, fmt.Sprintf("os.Exit(%d) called", ex.Control.ExitCode()))
		return true
	}
	return false
}

// wait lets something happen that is no task's step: data from the network
// arrives for a task, or time passes. It returns false when nothing can happen
// any more.
func (ex *Execution) wait() bool {
	alive := len(ex.Spins.resting) > 0
	for i := 1; i <= ex.Control.Len() && !alive; i++ {
		m := ex.Control.Task(i)
		alive = m.State == control.Blocked && !(m.Leftover() && ex.Returned() && !ex.Control.Away(m.ID))
	}
	if !alive {
		return false
	}
	if woken, over := ex.network(); woken || over {
		ex.late = woken
		return woken
	}
	if ex.computing() || ex.calledBack() {
		return true
	}
	if ex.hangs() {
		return false
	}
	if ex.idles() {
		return true
	}
	if len(ex.Spins.resting) > 0 {
		return ex.revive()
	}
	return ex.outsiders()
}

// outsiders lets goroutines that are no tasks run, in case a task waits for one of
// them, and reports whether one has woken a task. It waits longer for them in the first
// executions, and in those that are shown.
func (ex *Execution) outsiders() bool {
	const turns, patience, pause = 3, 20, time.Millisecond
	most, woken := turns, ex.Control.Outside()
	if ex.Engine.First || ex.Trace != nil && ex.Trace.Shows() {
		most += patience
	}
	for i := range most {
		if i < turns {
			runtime.Gosched()
		} else {
			time.Sleep(pause)
		}
		if ex.Control.Outside() > woken {
			return true
		}
	}
	return false
}

// Returned reports whether the body has returned.
func (ex *Execution) Returned() bool { return ex.Control.Task(1).State == control.Exited }

// Digest identifies what happened, in its order, for strict replay.
func (ex *Execution) Digest() uint64 { return ex.hash }
