package control

import (
	"os"
	"runtime"
	"slices"
	"time"
)

// An Execution is the one controlled execution of the process.
type Execution struct {
	tasks   []Task // by identifier, from 1
	shown   *shown
	frames  int // frames that race reports had printed when NewRaces was last called
	reports int
}

// shown is what the runtime's half shows of an execution, laid out as in
// internal/overlay/runtime. It is read in place, between steps.
type shown struct {
	tasks     uint32
	woken     uint32 // not 0 if tasks were made runnable since the last call of Woken
	outside   uint32 // wake-ups by goroutines outside
	full      bool   // more than MaxTasks tasks were started
	stalled   bool   // a step did not end
	timely    uint32 // how often tasks have read the time, or set or stopped a timer
	waits     uint32 // how often tasks have looked how long they wait for a mutex
	frames    int    // frames that race reports have printed
	calls     uint64 // system calls since the last call of Calls
	collected *uint32
	live      *uint64
}

// Epoch is the execution's first instant: midnight, 1 January 2000 UTC, in nanoseconds
// since 1970, as in testing/synctest.
const Epoch = 946684800 * 1e9

// Available reports whether this process can control goroutines.
func Available() bool { return available }

// Detector reports whether this process was built with the race detector.
// Without it there are no race reports, and [SetMemory] does nothing.
func Detector() bool { return detector }

// mostYields is how many times initial goroutines get a turn before an execution. They
// can take part in it only if they wait by then.
const mostYields = 64

// Start begins an execution with the calling goroutine as its controller. The seed
// determines every random choice that the runtime makes for a task.
func Start(seed uint64) *Execution {
	for n := 0; n < mostYields && unsettled(); n++ {
		runtime.Gosched()
	}
	first, shown := start(seed, Epoch)
	return &Execution{tasks: table(first)[:], shown: shown}
}

// Kept returns a copy of the tasks as they are now. The execution's own records are
// reused by the next execution.
func (e *Execution) Kept() *Execution {
	return &Execution{tasks: slices.Clone(e.tasks[:e.Len()+1]), shown: &shown{tasks: e.shown.tasks}}
}

// Spawn adds a task that will run fn.
func (e *Execution) Spawn(fn func()) { spawn(fn) }

// Step runs task id until it announces its next operation, blocks or ends.
// If its operation is a select, choice picks among the ready cases.
func (e *Execution) Step(id, choice uint32) { step(id, choice) }

// Run is like Step, except that the task continues past its next operations, up to most
// of them, until it blocks, ends or yields. With alone it also stops when it has
// started or woken another task. Run returns how many operations it has passed, which
// are not announced. strange means that the task stopped only because it is not known
// whether operations like the announced one may be passed: see Plain.
func (e *Execution) Run(id uint32, most int, alone bool) (passed int, strange bool) {
	setFree(uint32(most), alone)
	step(id, 0)
	n, strange := setFree(0, false)
	return int(n), strange
}

// Plain lets [Execution.Run] pass the code of id's pending operation from now on, until
// [ClearSkip].
func (e *Execution) Plain(id uint32) { setPlain(id) }

// Advance moves the clock to the next timer and fires it; false if there is
// none.
func (e *Execution) Advance() bool { return advance() }

// Finish ends the execution. Only leftover goroutines run again, as tasks of all later
// executions. With keep, all waiting tasks become leftover goroutines; with instead, those
// that replace a leftover goroutine of the same function that has ended.
func (e *Execution) Finish(keep, instead bool) { finish(keep, instead) }

// Len returns the number of tasks so far, including those that have ended.
func (e *Execution) Len() int { return int(e.shown.tasks) }

// Task returns the record of task id, which is at least 1.
func (e *Execution) Task(id int) *Task { return &e.tasks[id] }

// Woken calls f for each task that was made runnable since the last call, for whatever
// reason: once for each, in no particular order.
func (e *Execution) Woken(f func(*Task)) {
	for id := takeWoken(); id != 0; {
		m := &e.tasks[id]
		id = m.chain
		f(m)
	}
}

// Now returns the execution's clock, in nanoseconds since 1970.
func (e *Execution) Now() int64 { return now() }

// Outside returns the number of wake-ups by goroutines outside the execution.
func (e *Execution) Outside() uint32 { return e.shown.outside }

// Full reports whether more than MaxTasks were started.
func (e *Execution) Full() bool { return e.shown.full }

// Stalled reports whether a step did not end.
func (e *Execution) Stalled() bool { return e.shown.stalled }

// Crash returns why a task is Panicked (v) or Fatal (message), and its stack.
func (e *Execution) Crash() (v any, message string, pcs []uintptr) { return crash() }

// RaceFrames returns the program counters of the race reports since the last
// call, in the order in which the reports print them.
func (e *Execution) RaceFrames() []uintptr { return raceFrames() }

// ForgetAccesses makes the race detector forget the accesses to the eight bytes at an
// address at which it has reported a race. Otherwise it might not report another race there.
func (e *Execution) ForgetAccesses(addr uintptr) { raceForget(addr) }

// Raced reports whether there may be race reports since the last call of NewRaces.
func (e *Execution) Raced() bool { return e.shown.frames != e.frames }

// NewRaces reports whether there were race reports since the last call: the number of the
// first, from 0, and the [Task.Born] of the goroutine that made its later access. That
// goroutine may be one that runs finalizers, which is no task.
func (e *Execution) NewRaces() (first int, born uint32, some bool) {
	reports, who := races()
	first = e.reports
	e.frames, e.reports = e.shown.frames, reports
	return first, who, first != reports
}

// Skip makes the code of id's pending operation no scheduling point, for the rest of
// the process or until [ClearSkip].
func (e *Execution) Skip(id int) bool { return setSkip(uint32(id)) }

// ClearSkip undoes all calls of [Execution.Skip] and [Execution.Plain].
func ClearSkip() { clearSkip() }

// SetMemory makes the plain memory accesses with these return addresses scheduling
// points, and no others. It uses only the first 2048 addresses.
func SetMemory(pcs []uintptr) { setMemory(pcs) }

// SetEnding says whether the end of a task is a scheduling point of its own: first for the
// first task, others for all other tasks.
func SetEnding(others, first bool) { setEnding(others, first) }

// Live returns the runtime's count of live heap bytes.
func (e *Execution) Live() uint64 { return *e.shown.live }

// HeapLive is Live outside of executions.
func HeapLive() uint64 { return heapLive() }

// Collected returns how many garbage collections there were so far.
func (e *Execution) Collected() uint32 { return *e.shown.collected }

// Collections returns how many garbage collections there were so far, and whether
// everything that the last one found has been freed.
func Collections() (n uint32, done bool) { return collections() }

// Freed reports whether the object at an address is known to have been collected, with
// no other object there since.
func Freed(addr uintptr) bool { return freed(addr) }

// OnStack reports whether an address is on a goroutine's stack: then no other goroutine
// can know it, and it changes when the stack grows or shrinks.
func OnStack(addr uintptr) bool { return onStack(addr) }

// WatchVariables begins to note how tasks use package variables and the heap; VariablesRead ends
// that. Only the race detector sees plain accesses.
func WatchVariables() { watchVariables(true) }

// VariablesRead reports whether tasks have read, since WatchVariables, what was written between an
// earlier call of WatchVariables and its end; one of the two by the program's own code, see SetOwn.
func VariablesRead() bool { return watchVariables(false) }

// SetOwn says which functions are the program's own, for VariablesRead. It asks for each of them, which
// takes milliseconds, unless it did so last for the same key.
func SetOwn(key string, own func(name string) bool) { setOwn(key, own) }

// Uses notes, after WatchVariables, that a task's operation uses the object at an address, and
// reports whether an earlier execution has. What changes nothing is no use for later ones.
func Uses(addr uintptr, changes bool) (kept bool) { return uses(addr, changes) }

// Settle waits for the finalizers and cleanups of collected objects, and reports
// whether each has ended within patience. No task may be running.
func Settle(patience time.Duration) bool { return settle(int64(patience)) }

// Channel returns how many values the channel at an address holds, its capacity, and
// whether it is closed.
func Channel(addr uintptr) (n, size int, closed bool) { return channel(addr) }

// Drained reports whether the channel at an address is closed and empty.
func Drained(addr uintptr) bool {
	n, _, closed := channel(addr)
	return closed && n == 0
}

// OfTimer reports whether the channel at an address is that of a timer.
func OfTimer(addr uintptr) bool { return ofTimer(addr) }

// Sizeless reports whether the element type of the channel at an address has size zero.
func Sizeless(addr uintptr) bool { return sizeless(addr) }

// ChannelQueues returns the first tasks that wait to receive from and to send to the
// channel at an address, 0 if none waits, and the value that the next receive would get.
func ChannelQueues(addr uintptr) (receiver, sender uint32, next Element) {
	receiver, sender = channelQueues(addr, &next)
	return receiver, sender, next
}

// Queues stores the channels in whose queues a blocked task waits, as far as all has room, and
// returns how many there are. A channel that the task both sends to and receives from counts twice.
func (e *Execution) Queues(id uint32, all []uintptr) int { return queues(id, all) }

// Notes returns the uncontrolled things that tasks have done since the last call.
func (e *Execution) Notes() Notes { return Notes(notes()) }

// Calls returns how many system calls tasks have made since the last call.
func (e *Execution) Calls() uint64 {
	if e.shown.calls == 0 {
		return 0
	}
	return calls()
}

// SetProcessors sets the number of processors that tasks see; 0 means the real
// number.
func SetProcessors(n int) { setProcs(n) }

// A Pace says how time passes in executions. The zero value is the behaviour of
// testing/synctest: time stands still while tasks run, and a timer fires at exactly the
// nanosecond for which it was set.
type Pace struct {
	Start int64 // the first instant, in nanoseconds since 1970; 0 is Epoch
	Read  int64 // nanoseconds that each look at the clock takes
	Asked int64 // added to later looks of an execution: a task that keeps looking waits for a time to come
	Late  int64 // nanoseconds by which timers fire late, together with all that are due by then
	On    bool  // each execution begins at the time at which the last one ended, not at Start
}

// SetPace sets the pace of all executions from the next one on.
func SetPace(p Pace) { setPace(p.Start, p.Read, p.Asked, p.Late, p.On) }

// Assembly returns the names of the program's functions that are written in assembly.
func Assembly() []string { return assembly() }

// Standard returns the import paths of the standard library's packages, one per line.
func Standard() string { return standard() }

// Self returns the calling goroutine's task id, or 0 outside the execution. It is safe
// for concurrent use.
func Self() uint32 { return self() }

// Bubbled reports whether the calling goroutine is in a bubble of testing/synctest. It
// is safe for concurrent use.
func Bubbled() bool { return bubbled() }

// Enter begins a section of the harness's own code on a task: it has no scheduling
// points, and the race detector attributes it to the controller. Pass the result to
// [Leave]. It is safe for concurrent use.
func Enter() uintptr { return enter() }

// Leave ends a section begun by [Enter]. It is safe for concurrent use.
func Leave(own uintptr) { leave(own) }

// AsStream makes an open file count as a standard stream: writes to it are no file
// operations. No task may use the file meanwhile.
func AsStream(f *os.File) { asStream(f) }

// Steps counts the steps of all executions in this process. It is safe for concurrent use.
func Steps() uint64 { return steps() }

// Stall gives up on step number n if it is still running: the controller continues, and
// no execution may follow in this process. It is safe for concurrent use.
func Stall(n uint64) bool { return stall(n) }
