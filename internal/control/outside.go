package control

// Network is the value of [Task].Addr for a task that the network has woken: it stands
// for the object of the input or output.
const Network = 1

// Poll polls the network without waiting, and makes runnable the tasks for which data
// has arrived; false if there are none. Tasks that wait for the network are woken in no
// other way.
func (e *Execution) Poll() bool { return poll() }

// Release makes task id, which waits for the network, an ordinary goroutine: it
// continues to wait, but no longer belongs to the execution.
func (e *Execution) Release(id uint32) { release(id) }

// Released reports whether goroutines that were released, in this execution or an
// earlier one, have not ended yet.
func (e *Execution) Released() bool { return released() }

// Initialised makes the present goroutines, except for the calling one and the main
// one, initial goroutines. Until it is called these are the ones that init functions
// and package variables have started.
func Initialised() { initialised() }

// Away reports whether task id is an initial goroutine that does not wait where it did
// when the execution began.
func (e *Execution) Away(id uint32) bool { return away(id) }

// Astray reports whether an execution of this process has left an initial goroutine elsewhere
// than it was, or has ended one by a failure: later executions then begin differently.
func Astray() bool { return astray() }

// WaitsForOld reports whether task id, which is blocked, waits for a channel that no
// task of this execution has made.
func (e *Execution) WaitsForOld(id uint32) bool { return waitsForOld(id) }

// AwaitsTime reports whether task id, which is blocked, waits for a timer itself.
func (e *Execution) AwaitsTime(id uint32) bool { return awaitsTime(id) }

// Waking reports whether tasks were woken since [Execution.Woken] was called.
func (e *Execution) Waking() bool { return e.shown.woken != 0 }

// ExitCode returns what a task in state [Quit] has passed to os.Exit. The stack of
// [Execution.Crash] is that of the call.
func (e *Execution) ExitCode() int { return exitCode() }

// Descriptor returns the file descriptor for which task id last waited. It is
// meaningful while [Task.WaitsForIO] reports true.
func (e *Execution) Descriptor(id uint32) uintptr { return descriptor(id) }

// Opened reports whether a task of this execution was the last to open a pollable
// descriptor fd.
func (e *Execution) Opened(fd uintptr) bool { return opened(fd) }

// NextTimer returns how far off the next timer is, in nanoseconds; false if there is
// none.
func (e *Execution) NextTimer() (ns int64, ok bool) { return nextTimer() }

// NextMoment returns how far off, in nanoseconds, the next firing of a timer is that
// was not stopped, including channel timers for which no goroutine waits. It returns
// false if there is none.
func (e *Execution) NextMoment() (ns int64, ok bool) { return nextMoment() }

// Hasten moves the clock on by ns nanoseconds, and a little more as Advance does, and
// fires the timers that are due.
func (e *Execution) Hasten(ns int64) { hasten(ns) }

// AsksForTime reports whether tasks have looked at the clock so often that they may be
// waiting for a time to come.
func (e *Execution) AsksForTime() bool { return often() }

// Timely counts how often tasks have read the time, set a timer or stopped one; and how often
// they have looked how long they wait for a mutex.
func (e *Execution) Timely() (times, waits uint32) { return e.shown.timely, e.shown.waits }

// Tickers returns the longest period of the tickers in nanoseconds, after which each has
// fired once, and the time at which the last of the other timers is due, 0 if there is none.
func (e *Execution) Tickers() (longest, last int64) { return tickers() }

// Signals reports whether signals are pending that package os/signal has not delivered
// yet, and whether the program listens for any.
func (e *Execution) Signals() (pending, wanted bool) { return signals() }

// Pass moves the clock by ns nanoseconds. No timer may be due by then.
func (e *Execution) Pass(ns int64) { pass(ns) }

// Where returns the stack of a task that is blocked or runnable, as return addresses,
// innermost first.
func (e *Execution) Where(id uint32) []uintptr {
	pcs := make([]uintptr, MaxDepth)
	return pcs[:where(id, pcs)]
}

// Locals returns a digest of the stack of a parked task, including its variables there:
// if it changes between two visits of one place, the task has computed something of its
// own.
func (e *Execution) Locals(id uint32) uint64 { return locals(id) }
