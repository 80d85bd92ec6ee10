package control

// Network stands for the address of what input and output work on, in
// [Task].Addr of a task that the network has woken.
const Network = 1

// Poll asks the network, without waiting, and makes runnable the tasks for
// which it has something; false if there is none. Tasks that wait for the
// network learn of it in no other way.
func (e *Execution) Poll() bool { return poll() }

// Release makes task id, which waits for the network, an ordinary goroutine: it
// goes on waiting, and is no part of the execution any more.
func (e *Execution) Release(id uint32) { release(id) }

// Released reports whether goroutines that were released, in this execution or an
// earlier one, have not ended.
func (e *Execution) Released() bool { return released() }

// Initialised says that the goroutines that there are now, but for the calling one and
// the main one, are initial ones. Until it is called they are those that init functions
// and package variables have started.
func Initialised() { initialised() }

// Away reports whether task id is an initial goroutine that does not wait where it did
// when the execution began.
func (e *Execution) Away(id uint32) bool { return away(id) }

// Astray reports whether an execution of this process has left an initial goroutine
// elsewhere than it was, or has ended it by a failure: later ones do not begin alike.
func Astray() bool { return astray() }

// WaitsForOld reports whether task id, which is blocked, waits for a channel that
// no task of this execution has made.
func (e *Execution) WaitsForOld(id uint32) bool { return waitsForOld(id) }

// Waking reports whether tasks were woken since [Execution.Woken] was called.
func (e *Execution) Waking() bool { return e.shown.woken != 0 }

// ExitCode is what a task that is [Quit] passed to os.Exit. Where it did so
// is the stack of [Execution.Crash].
func (e *Execution) ExitCode() int { return exitCode() }

// Descriptor is the file descriptor that task id last waited for. It means
// something while [Task.WaitsForIO] says so.
func (e *Execution) Descriptor(id uint32) uintptr { return descriptor(id) }

// Opened reports whether a task of this execution has opened a descriptor
// that can be waited for, and nobody else since.
func (e *Execution) Opened(fd uintptr) bool { return opened(fd) }

// NextTimer is how far off the next timer is, in nanoseconds; false if there is
// none.
func (e *Execution) NextTimer() (ns int64, ok bool) { return nextTimer() }

// NextMoment is how far off the next moment is at which a timer fires that was not
// stopped, nanoseconds from now; of channels too for which nobody waits. It is false
// if there is none.
func (e *Execution) NextMoment() (ns int64, ok bool) { return nextMoment() }

// Hasten moves the clock on by so much, and a little as Advance does, and fires what is
// due.
func (e *Execution) Hasten(ns int64) { hasten(ns) }

// AsksForTime reports whether tasks have looked at the clock so often that they may
// wait for a time to come.
func (e *Execution) AsksForTime() bool {
	_, often := looks()
	return often
}

// Looks is how often tasks have looked at the clock, up to where they are said to ask for time.
func (e *Execution) Looks() uint32 {
	n, _ := looks()
	return n
}

// Tickers reports whether all timers are tickers, each of which has fired once when
// the longest of their periods has passed.
func (e *Execution) Tickers() (longest int64, all bool) { return tickers() }

// Signals reports whether signals have come that package os/signal has not yet passed
// on, and whether anybody wants to hear of some.
func (e *Execution) Signals() (pending, wanted bool) { return signals() }

// Pass moves the clock by ns nanoseconds. No timer may be due by then.
func (e *Execution) Pass(ns int64) { pass(ns) }

// Where is the stack, as return addresses and innermost first, of a task that
// is blocked or runnable.
func (e *Execution) Where(id uint32) []uintptr {
	pcs := make([]uintptr, MaxDepth)
	return pcs[:where(id, pcs)]
}

// Locals is a digest of the stack of a task that is parked, with all that it
// has there: if it changes between two visits of one place the task has got on
// with something of its own.
func (e *Execution) Locals(id uint32) uint64 { return locals(id) }
