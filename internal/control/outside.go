package control

// Network stands for the address of what input and output work on, in
// [Member].Addr of a member that the network has woken.
const Network = 1

// Poll asks the network, without waiting, and makes runnable the members for
// which it has something; false if there is none. Members that wait for the
// network learn of it in no other way.
func (e *Execution) Poll() bool { return poll() }

// Release makes member id, which waits for the network, an ordinary goroutine: it
// goes on waiting, and is no part of the execution any more.
func (e *Execution) Release(id uint32) { release(id) }

// Released reports whether goroutines that were released, in this execution or an
// earlier one, have not ended.
func (e *Execution) Released() bool { return released() }

// WaitsForOld reports whether member id, which is blocked, waits for a channel that
// no member of this execution has made.
func (e *Execution) WaitsForOld(id uint32) bool { return waitsForOld(id) }

// Waking reports whether members were woken since [Execution.Woken] was called.
func (e *Execution) Waking() bool { return waking() }

// ExitCode is what a member that is [Quit] passed to os.Exit. Where it did so
// is the stack of [Execution.Crash].
func (e *Execution) ExitCode() int { return exitCode() }

// Descriptor is the file descriptor that member id last waited for. It means
// something while [Member.WaitsForIO] says so.
func (e *Execution) Descriptor(id uint32) uintptr { return descriptor(id) }

// Opened reports whether a member of this execution has opened a descriptor
// that can be waited for, and nobody else since.
func (e *Execution) Opened(fd uintptr) bool { return opened(fd) }

// NextTimer is how far off the next timer is, in nanoseconds; false if there is
// none.
func (e *Execution) NextTimer() (ns int64, ok bool) { return nextTimer() }

// Pass moves the clock by ns nanoseconds. No timer may be due by then.
func (e *Execution) Pass(ns int64) { pass(ns) }

// Where is the stack, as return addresses and innermost first, of a member that
// is blocked or runnable.
func (e *Execution) Where(id uint32) []uintptr {
	pcs := make([]uintptr, MaxDepth)
	return pcs[:where(id, pcs)]
}

// Locals is a digest of the stack of a member that is parked, with all that it
// has there: if it changes between two visits of one place the member has got on
// with something of its own.
func (e *Execution) Locals(id uint32) uint64 { return locals(id) }
