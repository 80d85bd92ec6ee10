package control

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
)

var opNames = [...]string{
	OpStart: "start", OpGo: "go", OpAtomic: "atomic", OpSend: "send", OpRecv: "receive", OpClose: "close",
	OpSelect: "select", OpTrySend: "try send", OpTryRecv: "try receive", OpSignal: "signal",
	OpBroadcast: "broadcast", OpTimer: "timer", OpYield: "yield", OpRead: "read", OpWrite: "write", OpWoken: "woken",
}

func (op Op) String() string {
	if int(op) < len(opNames) && opNames[op] != "" {
		return opNames[op]
	}
	return "?"
}

// Limits of the runtime's side.
const (
	MaxMembers = 8000
	MaxDepth   = 48
	MaxObjects = 4
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
	Waker   uint32 // who woke it last; 0 for the clock
	_       uint32 // the choice passed to Step
	Ready   uint32 // ready cases of its last select
	npcs    uint32
	Outside uint32 // wake-ups from outside the execution
	Addr    uintptr
	GoPC    uintptr
	StartPC uintptr
	Goid    uint64
	_       uint64 // its random stream
	objects [MaxObjects]uintptr
	pcs     [MaxDepth]uintptr
}

// Stack is the return addresses of the pending operation, innermost first. The
// slice is overwritten by the member's next operation.
func (m *Member) Stack() []uintptr { return m.pcs[:m.npcs] }

// Channels is the first channels of a pending select.
func (m *Member) Channels() []uintptr { return m.objects[:] }

// WaitReason is the runtime's word for what a blocked member waits for.
func (m *Member) WaitReason() string { return waitReason(m.wait) }
