// Package collect records what an execution does at each operation of the main module,
// for package coverage. The engine calls it at each step; without a collector nothing is
// recorded.
package collect

import (
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A Collector is an [engine.Recorder] for the executions of one exploration, one at a
// time.
type Collector struct {
	spots   map[*source.Site]int // indices in list; -1 is a site that is not recorded
	list    []spot
	places  map[Key]int
	counts  []coverage.Count // of this execution, by index in list
	steps   []int            // by step of this execution: index in list; -1 is none
	now     visit            // the operation of the current step
	waiting map[uint32]visit // by task: the operation in which it is blocked
	rested  map[uint32]int   // by task that has waited for a group: where; it looks at the group once more
	orders  orders
}

// A spot is an operation in the source.
type spot struct {
	Key
	group
	as    int  // the operation of list that it counts for, if several belong to one call
	part  bool // it is not the first operation of the call
	looks bool // it only reads, as the first part of a TryRLock does
	size  uintptr
}

// A visit is one execution of a spot by a task.
type visit struct {
	spot    int
	woken   bool
	refused bool
	lock    uintptr         // the lock that an attempt is to take
	before  uint64          // the state of the lock before
	cases   int             // number of cases of a select
	sends   int             // how many of them send; those are first
	blocked map[uint32]bool // the tasks that were blocked before a signal
}

// New returns an empty Collector.
func New() *Collector {
	return &Collector{spots: make(map[*source.Site]int), places: make(map[Key]int), waiting: make(map[uint32]visit), rested: make(map[uint32]int)}
}

// Begin discards the last execution.
func (c *Collector) Begin() {
	clear(c.counts)
	clear(c.waiting)
	clear(c.rested)
	c.steps = c.steps[:0]
}

// Log does nothing.
func (c *Collector) Log(uint32, string, engine.LogKind) *string { return nil }

// Shows returns false: the recording is not shown.
func (c *Collector) Shows() bool { return false }

// Before records what m is about to do.
func (c *Collector) Before(ex *engine.Execution, m *control.Task) bool {
	switch m.Op {
	case control.OpStart:
		return false
	case control.OpWoken:
		was, waits := c.waiting[m.ID]
		was.woken = true
		c.now = was
		return waits
	}
	i := c.spotOf(ex.Engine.Sites.Of(m), m)
	if i < 0 {
		return false
	}
	c.mark(len(ex.Trail)-1, c.list[i].as)
	if c.list[i].Kind == coverage.Other || c.looksAgain(m.ID, i) {
		return false
	}
	c.now = visit{spot: i}
	c.look(ex, m)
	return true
}

// looksAgain reports whether a task is where it has just waited for a group: Wait ends
// by checking whether the group was reused meanwhile.
func (c *Collector) looksAgain(task uint32, spot int) bool {
	where, rested := c.rested[task]
	delete(c.rested, task)
	return rested && where == c.list[spot].as
}

// mark records the operation of a step.
func (c *Collector) mark(step, spot int) {
	for len(c.steps) <= step {
		c.steps = append(c.steps, -1)
	}
	c.steps[step] = spot
}

// spotOf returns the index in list of the operation that a task is at; -1 if it is not
// recorded.
func (c *Collector) spotOf(s *source.Site, m *control.Task) int {
	i, known := c.spots[s]
	if !known {
		i = c.add(s, m)
		c.spots[s] = i
	}
	return i
}

func (c *Collector) add(s *source.Site, m *control.Task) int {
	if s.Gathered || s.Trusted || s.Self || s.Kind == source.SiteInner || !source.InModule(s.Package) || s.InContext() {
		return -1
	}
	kind, part := kindOf(s, m.Op)
	pc := s.ProgramCounter(m.Stack())
	if pc == 0 {
		return -1
	}
	next := spot{
		Key: Key{PC: source.Relative(pc), Op: name(s, kind), Kind: kind}, group: groupOf(s, m.Op, kind),
		part: part, looks: strings.HasPrefix(source.Leaf(m.Stack()), "Load"), size: s.Size,
	}
	c.list = append(c.list, next)
	c.counts = append(c.counts, coverage.Count{})
	at := len(c.list) - 1
	first, known := c.places[next.Key]
	if !known {
		first = at
		c.places[next.Key] = at
	}
	c.list[at].as = first
	return at
}

// name returns the name of an operation in the source.
func name(s *source.Site, kind coverage.Kind) string {
	switch kind {
	case coverage.Once:
		return "Do"
	case coverage.Select:
		return "select"
	case coverage.Try:
		_, method, _ := strings.Cut(s.Call, ".")
		return method
	}
	verb := s.Verb()
	return verb[strings.LastIndexByte(verb, '.')+1:]
}

// kindOf returns the kind of an operation, and whether it is only a later part of the
// operation that counts.
func kindOf(s *source.Site, op control.Op) (kind coverage.Kind, part bool) {
	switch op {
	case control.OpSend:
		return coverage.Send, false
	case control.OpRecv:
		return coverage.Receive, false
	case control.OpSelect, control.OpTrySend, control.OpTryRecv:
		return coverage.Select, false
	case control.OpSignal, control.OpBroadcast:
		return coverage.Signal, false
	case control.OpTimer:
		if s.Op == "Timer.Stop" {
			return coverage.Stop, false
		}
	case control.OpAtomic:
		return atomicKind(s)
	}
	return coverage.Other, false
}

func atomicKind(s *source.Site) (kind coverage.Kind, part bool) {
	switch s.Op {
	case "Mutex.Lock", "RWMutex.Lock", "RWMutex.RLock":
		if s.Call == "Once.Do" {
			return coverage.Once, true
		}
		if s.Call == s.Op {
			return coverage.Lock, false
		}
	case "Mutex.TryLock", "RWMutex.TryLock", "RWMutex.TryRLock":
		return coverage.Try, false
	case "RWMutex.TryLock, readers":
		return coverage.Try, true
	case source.GroupWait:
		if s.Kind == source.SiteAtomicRead {
			return coverage.Wait, false
		}
	case "Once.Do":
		return coverage.Once, false
	}
	if strings.Contains(s.Op, "CompareAndSwap") && s.Call == "" && s.Size != 0 && s.Type != "" && s.Type != "Value" {
		return coverage.CompareAndSwap, false
	}
	return coverage.Other, false
}

// After records the result of m's operation.
func (c *Collector) After(ex *engine.Execution, m *control.Task) {
	s := &c.list[c.now.spot]
	n := &c.counts[s.as]
	if m.State >= control.Panicked {
		return
	}
	if !c.now.woken && !s.part && !(s.Op == "TryRLock" && !s.looks) {
		n.Times++
	}
	if m.State == control.Blocked && waits(s.Kind, m.WaitReason()) {
		if !c.now.woken {
			n.Waited++
			c.waiting[m.ID] = c.now
		}
		return
	}
	if c.now.woken {
		delete(c.waiting, m.ID)
		if s.Kind == coverage.Wait {
			c.rested[m.ID] = s.as
		}
	}
	c.done(ex, n, m)
}

// waits reports whether a wait with this reason is part of an operation of a kind.
func waits(kind coverage.Kind, reason string) bool {
	switch kind {
	case coverage.Lock, coverage.Once:
		return reason == "sync.Mutex.Lock" || strings.HasPrefix(reason, "sync.RWMutex")
	case coverage.Send:
		return strings.HasPrefix(reason, "chan send")
	case coverage.Receive:
		return strings.HasPrefix(reason, "chan receive")
	case coverage.Select:
		return reason == "select"
	case coverage.Wait:
		return reason == "sync.WaitGroup.Wait"
	}
	return false
}
