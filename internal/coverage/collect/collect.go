// Package collect notes what an execution does at each operation of the main module, for
// package coverage. It is told by the engine step by step; nothing is noted where nobody
// asks.
package collect

import (
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A Collector is an [engine.Recorder] of the executions of one exploration, one at a
// time.
type Collector struct {
	spots   map[*source.Site]int // places in list; -1 is nothing that is noted
	list    []spot
	places  map[Key]int
	counts  []coverage.Count // of this execution, as list
	steps   []int            // of this execution: the operation of each, as place in list; -1 is none
	now     visit            // the operation of the step that is being made
	waiting map[uint32]visit // those that tasks are blocked in
	rested  map[uint32]int   // tasks that have waited for a group → where; they look at it once more
	orders  orders
}

// A spot is an operation in the source.
type spot struct {
	Key
	group
	as    int  // which operation of the list it counts for, if several belong to one call
	part  bool // it is not the first of them
	looks bool // it only looks, as the first part of a TryRLock does
	size  uintptr
}

// A visit is one time that a task is at a spot.
type visit struct {
	spot    int
	woken   bool
	refused bool
	lock    uintptr         // that an attempt is to take
	before  uint64          // what it found there
	cases   int             // of a select
	sends   int             // those that send, which are first
	blocked map[uint32]bool // who was, before a signal
}

// New returns one that has seen nothing.
func New() *Collector {
	return &Collector{spots: make(map[*source.Site]int), places: make(map[Key]int), waiting: make(map[uint32]visit), rested: make(map[uint32]int)}
}

// Begin forgets the last execution.
func (c *Collector) Begin() {
	clear(c.counts)
	clear(c.waiting)
	clear(c.rested)
	c.steps = c.steps[:0]
}

// Log is of no interest.
func (c *Collector) Log(uint32, string, engine.LogKind) *string { return nil }

// Shows says that nobody reads what it is told step by step.
func (c *Collector) Shows() bool { return false }

// Before notes what m is about to do.
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
// with a look whether the group was used again meanwhile.
func (c *Collector) looksAgain(task uint32, spot int) bool {
	where, rested := c.rested[task]
	delete(c.rested, task)
	return rested && where == c.list[spot].as
}

// mark notes which operation a step is.
func (c *Collector) mark(step, spot int) {
	for len(c.steps) <= step {
		c.steps = append(c.steps, -1)
	}
	c.steps[step] = spot
}

// spotOf is the operation that a task is at, as place in the list; -1 if it is none that
// is noted.
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

// name is what an operation is called in the source.
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

// kindOf is what is required of an operation, and whether it is only a part of the one
// there that counts.
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

// After notes what became of it.
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

// waits reports whether a wait for a reason is part of an operation.
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
