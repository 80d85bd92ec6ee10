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
	frames  int // that race reports had printed when NewRaces was last called
	reports int
}

// What the runtime's side shows of an execution, laid out as in internal/overlay/runtime.
// It is read in place, between steps.
type shown struct {
	tasks     uint32
	woken     uint32 // not 0: tasks were made runnable since Woken was called
	outside   uint32 // wake-ups by goroutines outside
	full      bool   // more than MaxTasks were started
	stalled   bool   // a step did not end
	frames    int    // that race reports have printed
	calls     uint64 // system calls since Calls was called
	collected *uint32
	live      *uint64
}

// Epoch is the execution's first instant: midnight, 1 January 2000 UTC, in
// nanoseconds since 1970. It is that of testing/synctest.
const Epoch = 946684800 * 1e9

// Available reports whether this process can control goroutines.
func Available() bool { return available }

// Detector reports whether this process was built with the race detector.
// Without it there are no race reports, and [SetMemory] does nothing.
func Detector() bool { return detector }

// mostYields is how often initial goroutines have their turn before an execution, in
// which they can only take part if they wait by then.
const mostYields = 64

// Start begins an execution, the calling goroutine being its controller. The
// seed decides every random choice the runtime makes for a task.
func Start(seed uint64) *Execution {
	for n := 0; n < mostYields && unsettled(); n++ {
		runtime.Gosched()
	}
	first, shown := start(seed, Epoch)
	return &Execution{tasks: table(first)[:], shown: shown}
}

// Kept is the tasks as they are now. An execution's own records are those of the next
// execution, once that has begun.
func (e *Execution) Kept() *Execution {
	return &Execution{tasks: slices.Clone(e.tasks[:e.Len()+1]), shown: &shown{tasks: e.shown.tasks}}
}

// Spawn adds a task that will run fn.
func (e *Execution) Spawn(fn func()) { spawn(fn) }

// Step runs task id until it announces its next operation, blocks or ends.
// If its operation is a select, choice picks among the ready cases.
func (e *Execution) Step(id, choice uint32) { step(id, choice) }

// Run is like Step, except that the task goes on past its next operations, up to
// so many, unless it blocks, ends or yields. With alone it goes on only as long as
// it neither starts nor wakes another. Run returns how many operations it has gone
// past, which are not announced, and whether it has stopped only because it is not
// known whether one goes past such an operation as the one announced: see Plain.
func (e *Execution) Run(id uint32, most int, alone bool) (passed int, strange bool) {
	setFree(uint32(most), alone)
	step(id, 0)
	n, strange := setFree(0, false)
	return int(n), strange
}

// Plain says of the code of id's pending operation that [Execution.Run] goes past
// it, until [ClearSkip].
func (e *Execution) Plain(id uint32) { setPlain(id) }

// Advance moves the clock to the next timer and fires it; false if there is
// none.
func (e *Execution) Advance() bool { return advance() }

// Finish ends the execution. Tasks that have not ended never run again, except
// leftover goroutines, which are tasks of all later executions: with keep, those that wait
// become leftover goroutines, and with instead those that do what one did that has ended.
func (e *Execution) Finish(keep, instead bool) { finish(keep, instead) }

// Len is the number of tasks so far, those that have ended included.
func (e *Execution) Len() int { return int(e.shown.tasks) }

// Task returns the record of task id, which is at least 1.
func (e *Execution) Task(id int) *Task { return &e.tasks[id] }

// Woken calls f for each task that was made runnable, by whatever, since the last
// call: once for each, in no order.
func (e *Execution) Woken(f func(*Task)) {
	for id := takeWoken(); id != 0; {
		m := &e.tasks[id]
		id = m.chain
		f(m)
	}
}

// Now is the execution's clock, nanoseconds since 1970.
func (e *Execution) Now() int64 { return now() }

// Outside is the number of wake-ups by goroutines outside.
func (e *Execution) Outside() uint32 { return e.shown.outside }

// Full reports whether more than MaxTasks were started.
func (e *Execution) Full() bool { return e.shown.full }

// Stalled reports whether a step did not end.
func (e *Execution) Stalled() bool { return e.shown.stalled }

// Crash is why a task is Panicked (v) or Fatal (message), and where.
func (e *Execution) Crash() (v any, message string, pcs []uintptr) { return crash() }

// RaceFrames returns the program counters of the race reports since the last
// call, in the order in which the reports print them.
func (e *Execution) RaceFrames() []uintptr { return raceFrames() }

// ForgetAccesses has the race detector forget the accesses to the eight bytes at an
// address of which it has reported a race: else it may not report one there again.
func (e *Execution) ForgetAccesses(addr uintptr) { raceForget(addr) }

// Raced reports whether there may be race reports since NewRaces was last called.
func (e *Execution) Raced() bool { return e.shown.frames != e.frames }

// NewRaces says whether there were race reports since the last call: the number of the first,
// from 0, and the [Task.Born] of the goroutine that made its later access. That may be no task,
// but one that runs finalizers.
func (e *Execution) NewRaces() (first int, born uint32, some bool) {
	reports, who := races()
	first = e.reports
	e.frames, e.reports = e.shown.frames, reports
	return first, who, first != reports
}

// Skip makes the code of id's pending operation no scheduling point from now
// on, for the rest of the process or until [ClearSkip].
func (e *Execution) Skip(id int) bool { return setSkip(uint32(id)) }

// ClearSkip forgets what [Execution.Skip] and [Execution.Plain] have said.
func ClearSkip() { clearSkip() }

// SetMemory makes the plain memory accesses with these return addresses
// scheduling points, and no others. Of many addresses it takes the first 2048.
func SetMemory(pcs []uintptr) { setMemory(pcs) }

// SetEnding says whether the end of a task is a scheduling point of its own: that of the first
// one, and those of the others.
func SetEnding(others, first bool) { setEnding(others, first) }

// Live is the runtime's count of live heap bytes.
func (e *Execution) Live() uint64 { return *e.shown.live }

// HeapLive is the same outside of executions.
func HeapLive() uint64 { return heapLive() }

// Collected is the number of times that garbage was collected so far.
func (e *Execution) Collected() uint32 { return *e.shown.collected }

// Collections is the number of times that garbage was collected so far, and
// whether all that was found the last time is free by now.
func Collections() (n uint32, done bool) { return collections() }

// Freed reports whether what was at an address is known to have been collected, and
// nothing else was put there since.
func Freed(addr uintptr) bool { return freed(addr) }

// OnStack reports whether an address is on a goroutine's stack: then no other
// goroutine can know it, and it changes when the stack grows or shrinks.
func OnStack(addr uintptr) bool { return onStack(addr) }

// Settle waits for finalizers and cleanups of what was collected, and reports
// whether they have come to their end in that time, each. No task may be running.
func Settle(patience time.Duration) bool { return settle(int64(patience)) }

// Channel says how many values the channel at an address holds, how many it can
// hold, and whether it is closed.
func Channel(addr uintptr) (n, size int, closed bool) { return channel(addr) }

// Sizeless reports whether the values of the channel at an address have no size.
func Sizeless(addr uintptr) bool { return sizeless(addr) }

// ChannelQueues says which task waits first to receive from the channel at an address
// and which to send, 0 if none does, and what the next receive would get.
func ChannelQueues(addr uintptr) (receiver, sender uint32, next Element) {
	receiver, sender = channelQueues(addr, &next)
	return receiver, sender, next
}

// Notes are what tasks have done since the last call that nobody controls.
func (e *Execution) Notes() Notes { return Notes(notes()) }

// Calls is how many system calls tasks have made since the last call.
func (e *Execution) Calls() uint64 {
	if e.shown.calls == 0 {
		return 0
	}
	return calls()
}

// SetProcessors is how many processors tasks are told that there are, whatever
// there are; 0 is the truth.
func SetProcessors(n int) { setProcs(n) }

// A Pace is how time goes by in executions. The zero value is that of
// testing/synctest: time stands still while tasks run, and a timer fires at the
// very nanosecond for which it was set.
type Pace struct {
	Start int64 // the first instant, in nanoseconds since 1970; 0 is Epoch
	Read  int64 // nanoseconds that each look at the clock takes
	Asked int64 // and the later ones of an execution, besides: who looks on and on waits for a time to come
	Late  int64 // nanoseconds by which timers fire late, together with all that are due by then
	On    bool  // each execution begins where the one before has ended, not at Start
}

// SetPace sets the pace of all executions from the next one on.
func SetPace(p Pace) { setPace(p.Start, p.Read, p.Asked, p.Late, p.On) }

// Assembly is the names of the program's functions that are written in assembly.
func Assembly() []string { return assembly() }

// Standard is the import paths of the standard library's packages, a line each.
func Standard() string { return standard() }

// Self is the calling goroutine's task id, 0 for a goroutine outside. Any
// goroutine may call it.
func Self() uint32 { return self() }

// Bubbled reports whether the calling goroutine is in a bubble of testing/synctest.
// Any goroutine may call it.
func Bubbled() bool { return bubbled() }

// Enter begins a section of the harness's own code on a task: it has no
// scheduling points, and the race detector takes it for the controller's.
// Pass the result to [Leave]. Any goroutine may call it.
func Enter() uintptr { return enter() }

// Leave ends what [Enter] began.
func Leave(own uintptr) { leave(own) }

// AsStream makes an open file what the standard output is: to write to it is no call on
// files. No task may use it meanwhile.
func AsStream(f *os.File) { asStream(f) }

// Steps counts the steps of all executions of this process. Any goroutine may call it.
func Steps() uint64 { return steps() }

// Stall gives up on step number n if it is still running: the controller goes
// on, and no execution may follow in this process. Any goroutine may call it.
func Stall(n uint64) bool { return stall(n) }
