package control

import "strings"

// A State is what a member is doing.
type State uint32

// The states. Between steps no member of a healthy execution is Running.
const (
	Runnable State = 1 + iota
	Running
	Blocked
	Exited
	Panicked
	Fatal
	Quit  // has called os.Exit
	Stuck // its bubble of testing/synctest can never go on
)

// An Op is the kind of operation that a runnable member will do next.
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
)

var opNames = [...]string{
	OpStart: "start", OpGo: "go", OpAtomic: "atomic", OpSend: "send", OpRecv: "receive", OpClose: "close",
	OpSelect: "select", OpTrySend: "try send", OpTryRecv: "try receive", OpSignal: "signal",
	OpBroadcast: "broadcast", OpTimer: "timer", OpYield: "yield", OpRead: "read", OpWrite: "write", OpWoken: "woken",
	OpCondWait: "condition wait", OpIdle: "synctest.Wait",
}

func (op Op) String() string {
	if int(op) < len(opNames) && opNames[op] != "" {
		return opNames[op]
	}
	return "?"
}

// Limits of the runtime's side.
const (
	MaxMembers = 100_000
	MaxDepth   = 48
	MaxObjects = 16
)

// A Member is the runtime's record of one goroutine of the execution, laid out
// as in internal/overlay/runtime. Read it between steps only.
type Member struct {
	_       uintptr // the goroutine
	ID      uint32  // from 1, in order of creation
	State   State
	Op      Op
	wait    uint32
	Parent  uint32 // 0 for the root and for what a timer started
	Waker   uint32 // who woke it last, or whose bubble's timer has started it; 0 for the clock
	_       uint32 // the choice passed to Step
	Ready   uint32 // ready cases of its last select
	npcs    uint32
	Outside uint32 // wake-ups from outside the execution
	took    uint32 // what its last select took
	Cases   uint32 // of a pending select
	chain   uint32
	Bubble  uint32 // of testing/synctest, from 1, that it is in or has started; 0 is none
	Addr    uintptr
	GoPC    uintptr
	StartPC uintptr
	Goid    uint64
	_       uint64 // its random stream
	Path    uint64 // identifies it by the go statements that led to it
	births  uint64
	timers  uint64
	Size    uintptr // of the memory of a pending plain access
	objects [MaxObjects]uintptr
	taken   uintptr
	element Element
	stays   uintptr
	pcs     [MaxDepth]uintptr
}

// An Element is a value that goes through a channel: its runtime type, 0 if the
// value is unknown, and its first two words if it has no more.
type Element struct {
	Type  uintptr
	Words [2]uintptr
}

// Stack is the return addresses of the pending operation, innermost first. The
// slice is overwritten by the member's next operation.
func (m *Member) Stack() []uintptr { return m.pcs[:m.npcs] }

// Code is the first return addresses of [Member.Stack], 0 where there are fewer.
func (m *Member) Code() *[4]uintptr { return (*[4]uintptr)(m.pcs[:4]) }

// Channels is the channels of a pending select, at most the first MaxObjects.
func (m *Member) Channels() []uintptr { return m.objects[:min(m.Cases, MaxObjects)] }

// Resident reports whether the member was left by an earlier execution.
func (m *Member) Resident() bool { return m.stays != 0 }

// WaitsForIO reports whether a blocked member waits for the network: a
// connection, a pipe.
func (m *Member) WaitsForIO() bool { return m.wait == ioWait }

// WaitReason is the runtime's word for what a blocked member waits for, the same
// within a bubble and outside.
func (m *Member) WaitReason() string { return strings.TrimSuffix(waitReason(m.wait), " (durable)") }

// AwaitsIdleness reports whether a member waits, or waited until it was woken, for
// all others of its bubble to be blocked.
func (m *Member) AwaitsIdleness() bool { return m.wait == synctestWait || m.KeepsBubble() }

// KeepsBubble reports whether a member waits, or waited until it was woken, in
// synctest.Run, where it moves the bubble's clock.
func (m *Member) KeepsBubble() bool { return m.wait == synctestRun }

// Operands are the arguments of a pending atomic operation after its address. They
// mean nothing beyond those that it has.
func (m *Member) Operands() [2]uintptr { return [2]uintptr{m.objects[0], m.objects[1]} }

// Sent is what a pending send sends.
func (m *Member) Sent() Element {
	return Element{Type: m.objects[0], Words: [2]uintptr{m.objects[1], m.objects[2]}}
}

// A Taken is what a select did.
type Taken struct {
	Channel uintptr // 0 for the default, or if it has not ended
	Send    bool
	Closed  bool // it received from a closed channel
	Value   Element
}

// Taken is what the member's last select took.
func (m *Member) Taken() Taken {
	const send, closed = 1 << 30, 1 << 31
	if m.took == 0 {
		return Taken{}
	}
	return Taken{Channel: m.taken, Send: m.took&send != 0, Closed: m.took&closed != 0, Value: m.element}
}
