package control

import "strings"

// A State is the state of a task.
type State uint32

// The states. Between steps no task of a healthy execution is Running.
const (
	Runnable State = 1 + iota
	Running
	Blocked
	Exited
	Panicked
	Fatal
	Quit  // it has called os.Exit
	Stuck // its bubble of testing/synctest can never continue
)

// An Op is the kind of operation that a runnable task will do next.
type Op uint32

// The operations that are scheduling points.
const (
	OpStart Op = 1 + iota
	OpGo
	OpAtomic
	OpSend
	OpRecv
	OpClose
	OpSelect
	OpTrySend
	OpTryRecv
	OpSignal
	OpBroadcast
	OpTimer
	OpYield
	OpRead
	OpWrite
	OpWoken
	OpCondWait
	OpIdle // synctest.Wait
	OpLen
	OpPool
	OpCount // a look at the number of goroutines
	OpClock
	OpEnd  // the end of a goroutine
	OpFile // a file operation of package os
)

var opNames = [...]string{
	OpStart: "start", OpGo: "go", OpAtomic: "atomic", OpSend: "send", OpRecv: "receive", OpClose: "close",
	OpSelect: "select", OpTrySend: "try send", OpTryRecv: "try receive", OpSignal: "signal",
	OpBroadcast: "broadcast", OpTimer: "timer", OpYield: "yield", OpRead: "read", OpWrite: "write", OpWoken: "woken",
	OpCondWait: "condition wait", OpIdle: "synctest.Wait",
	OpLen: "len", OpPool: "pool", OpCount: "goroutine count", OpClock: "clock", OpEnd: "end", OpFile: "file",
}

func (op Op) String() string {
	if int(op) < len(opNames) && opNames[op] != "" {
		return opNames[op]
	}
	return "?"
}

// Limits of the runtime's half.
const (
	MaxTasks   = 100_000
	MaxDepth   = 48
	MaxObjects = 16
)

// A Task is the runtime's record of one goroutine of the execution, laid out as in
// internal/overlay/runtime. Only read it between steps.
type Task struct {
	_       uintptr // the goroutine
	ID      uint32  // from 1, in order of creation
	State   State
	Op      Op
	wait    uint32
	Parent  uint32 // 0 for the root and for goroutines that a timer started
	Waker   uint32 // the task that woke it last, or whose bubble's timer has started it; 0 for the clock
	_       uint32 // the choice passed to Step
	Ready   uint32 // ready cases of its last select
	npcs    uint32
	Outside uint32 // wake-ups by goroutines outside the execution
	took    uint32 // the result of its last select
	cases   uint32 // of a pending select: the number of all cases, and above bit 16 of those that send
	chain   uint32
	Bubble  uint32 // number of the testing/synctest bubble that it is in or has started, from 1; 0 is none
	Addr    uintptr
	GoPC    uintptr
	StartPC uintptr
	Goid    uint64
	_       uint64 // its random stream
	Path    uint64 // identifies it by the go statements that led to it
	births  uint64
	timers  uint64
	selects uint64
	stack   uint64
	Size    uintptr // of the memory of a pending plain access
	objects [MaxObjects]uintptr
	taken   uintptr
	element Element
	filed   uint32
	stays   uint32
	initial uint32
	_       uint64 // where an initial goroutine has waited
	Born    uint32 // its number in the race detector, relative to that of the execution's start
	Twin    uint32 // the task that its parent has started right before, if the two are indistinguishable; 0 is none
	Line    uint32 // the task that it has started last, unless the next one cannot be its twin
	_       uint32 // what it has done since
	_       [1 + 8]uintptr
	pcs     [MaxDepth]uintptr
}

// An Element is a value that passes through a channel: its runtime type, or 0 if the
// value is unknown, and its first two words if it has no more.
type Element struct {
	Type  uintptr
	Words [2]uintptr
}

// Stack returns the return addresses of the pending operation, innermost first. The
// task's next operation overwrites the slice.
func (m *Task) Stack() []uintptr { return m.pcs[:m.npcs] }

// StackHash returns a hash of the operation and of [Task.Stack], for this process.
func (m *Task) StackHash() uint64 { return (m.stack ^ uint64(m.Op)) * 1099511628211 }

// Code returns the first return addresses of [Task.Stack], 0 where there are fewer.
func (m *Task) Code() *[4]uintptr { return (*[4]uintptr)(m.pcs[:4]) }

// Cases returns how many cases a pending select has, and how many of them send; those
// are the first ones.
func (m *Task) Cases() (n, sends int) { return int(m.cases & 0xffff), int(m.cases >> 16) }

// Channels returns the channels of a pending select, at most the first MaxObjects.
func (m *Task) Channels() []uintptr {
	n, _ := m.Cases()
	return m.objects[:min(n, MaxObjects)]
}

// Initial reports whether the task is a goroutine that an init function, a package
// variable or TestMain has started.
func (m *Task) Initial() bool { return m.initial != 0 }

// Leftover reports whether an earlier execution has left the task, or it is initial.
func (m *Task) Leftover() bool { return m.stays != 0 }

// WaitsForIO reports whether a blocked task waits for the network: a
// connection, a pipe.
func (m *Task) WaitsForIO() bool { return m.wait == ioWait }

// WaitReason returns the runtime's word for what a blocked task waits for, the same
// inside a bubble and outside.
func (m *Task) WaitReason() string { return strings.TrimSuffix(waitReason(m.wait), " (durable)") }

// AwaitsIdleness reports whether a task waits, or waited until it was woken, until all
// others of its bubble are blocked.
func (m *Task) AwaitsIdleness() bool { return m.wait == synctestWait || m.KeepsBubble() }

// KeepsBubble reports whether a task waits, or waited until it was woken, in
// synctest.Run, where it moves the bubble's clock.
func (m *Task) KeepsBubble() bool { return m.wait == synctestRun }

// Operands returns the arguments of a pending atomic operation after its address. Those
// that the operation does not have are meaningless.
func (m *Task) Operands() [2]uintptr { return [2]uintptr{m.objects[0], m.objects[1]} }

// OnlyAdds declares that the result of a pending addition to an atomic variable of size
// bytes is dropped: the race detector then does not treat the addition as an acquire.
// This is required for every addition that counts as commuting.
func (m *Task) OnlyAdds(size uintptr) { m.objects[2] = size }

// Sent returns the value of a pending send.
func (m *Task) Sent() Element {
	return Element{Type: m.objects[0], Words: [2]uintptr{m.objects[1], m.objects[2]}}
}

// Timed reports whether the timer that the task has just stopped or reset was active
// before.
func (m *Task) Timed() bool { return m.took == 2 }

// A Taken is the result of a select.
type Taken struct {
	Channel uintptr // 0 for the default case, or if the select has not ended
	Case    int     // index, from 0, among those of [Task.Cases]
	Send    bool
	Closed  bool // it received from a closed channel
	Value   Element
}

// Taken returns the result of the task's last select.
func (m *Task) Taken() Taken {
	const send, closed = 1 << 30, 1 << 31
	if m.took == 0 {
		return Taken{}
	}
	return Taken{Channel: m.taken, Case: int(m.took&^(send|closed)) - 1, Send: m.took&send != 0, Closed: m.took&closed != 0, Value: m.element}
}
