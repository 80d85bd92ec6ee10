package linear

import (
	"sync"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A recording is the calls of one history. Its fields belong to the harness: they are
// accessed within the guard of its T.
//
// An operation's times are two values of one counter, taken before its first action and
// after its last. Under control one goroutine runs at a time, and nothing else runs
// between the last action and taking the value. So the counter puts one operation
// before another exactly if it returned before the other was called. Without control
// the guard is a lock, and the interval may be longer than the operation, which can
// hide a violation but never invent one.
type recording struct {
	t     *engine.T
	clock int64
	ops   []*operation
}

// An operation is one call. It is pending while ret is 0.
type operation struct {
	client    string
	in, out   any
	call, ret int64       // in a history under check, 0 and 1<<62 mean any time
	free      bool        // its result and end are ignored: it is pending, or was left out of a minimal history
	edge      *sync.Mutex // see pass
	notes     [2]*string  // log lines of its call and return in a shown execution
}

func newRecording(t *engine.T) *recording { return &recording{t: t} }

// boundary is a scheduling point and nothing else: it tries to receive from a nil
// channel. Rejected: [runtime.Gosched], after which a strategy prefers other
// goroutines, and an atomic operation, which would order accesses that the race
// detector must see unordered.
func boundary() {
	var none chan struct{}
	select {
	case <-none:
	default:
	}
}

func (r *recording) call(client string, in any) *operation {
	op := &operation{client: client, in: in, edge: new(sync.Mutex)}
	op.pass()
	defer engine.HostOf(r.t).Guard()()
	if op.client == "" {
		op.client = engine.HostOf(r.t).Caller()
	}
	engine.HostOf(r.t).Noticed(schedule.Reads) // only the order of returns before calls matters
	r.clock++
	op.call = r.clock
	r.ops = append(r.ops, op)
	op.notes[0] = engine.HostOf(r.t).Logged("operation called", engine.LogNote)
	return op
}

func (r *recording) returned(op *operation, out any) {
	op.pass()
	defer engine.HostOf(r.t).Guard()()
	engine.HostOf(r.t).Noticed(schedule.Releases)
	r.clock++
	op.out, op.ret = out, r.clock
	op.notes[1] = engine.HostOf(r.t).Logged("operation returned", engine.LogNote)
}

// pass orders the earlier callers' actions before the later ones'. The goroutine of
// an operation calls it before it publishes data, and the checker before it reads
// them. No two goroutines of the body share an operation, so nothing else is
// ordered.
func (op *operation) pass() {
	op.edge.Lock()
	defer op.edge.Unlock()
}

// snapshot returns the operations so far; they may continue. A pending one is free.
func (r *recording) snapshot() []operation {
	defer engine.HostOf(r.t).Guard()()
	engine.HostOf(r.t).Noticed(schedule.Changes)
	ops := make([]operation, len(r.ops))
	for i, op := range r.ops {
		ops[i] = *op
		ops[i].free = op.ret == 0
	}
	return ops
}
