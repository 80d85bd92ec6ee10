package litmus

import (
	"math/rand/v2"
	"slices"
)

// Generate returns the program of a seed: a few tasks on one to three objects.
func Generate(seed uint64) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x6c69746d7573))}
	for range 1 + g.IntN(2) {
		g.object(Kind(g.IntN(int(Pool) + 1)))
	}
	if g.IntN(2) == 0 {
		g.object(Int) // by which the order of other operations is observed
	}
	return g.tasks()
}

// GenerateTimed returns a small program in which much depends on the time.
func GenerateTimed(seed uint64) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x74696d6564)), timed: true}
	g.object([]Kind{Timer, Timer, Chan, Chan, Chan, Int, Plain}[g.IntN(7)])
	g.object(Int)
	p := g.tasks()
	if longest := g.IntN(8); longest > 1 { // else the body returns at once, and time passes only after it
		p.Tasks[0] = append(p.Tasks[0], Op{Verb: Sleep, Arg: longest}, Op{Verb: Load, On: len(p.Objects) - 1})
	}
	return p
}

// tasks draws the tasks of a program that has its objects.
func (g *generator) tasks() Program {
	tasks := 2 + g.IntN(2)
	if !g.timed && g.IntN(6) == 0 {
		tasks = 4
	}
	g.program.Tasks = make([][]Op, tasks+1)
	for i := 1; i <= tasks; i++ {
		starter := 0
		if i > 2 && g.IntN(5) == 0 {
			starter = 1 + g.IntN(i-1)
		}
		start := Op{Verb: Start, Arg: i}
		var ops []Op
		longest := 3
		if g.timed {
			longest = 2
		}
		for most := 1 + g.IntN(longest); len(ops) < most; {
			ops = append(ops, g.some()...)
		}
		g.program.Tasks[i] = ops
		g.program.Tasks[starter] = append(g.program.Tasks[starter], start)
	}
	switch g.IntN(4) {
	case 0, 1:
		g.copies(tasks)
	case 2:
		g.loop()
	}
	return g.program
}

// copies starts the last task more than once, in a loop, if that task starts no other.
func (g *generator) copies(last int) {
	p := &g.program
	if slices.ContainsFunc(p.Tasks[last], func(o Op) bool { return o.Verb == Start }) {
		return
	}
	start := p.starts(last)
	start.More, start.Alike = 1+g.IntN(2), true
	for range start.More {
		p.Tasks = append(p.Tasks, p.Tasks[last])
	}
	g.between(start)
}

// loop starts the first two tasks, which are started right after one another, in a loop.
func (g *generator) loop() {
	first := g.program.starts(1)
	*g.program.starts(2) = Op{Verb: Gosched}
	first.More = 1
	g.between(first)
}

// between may add a store between two starts of a loop.
func (g *generator) between(start *Op) {
	if on := g.IntN(len(g.program.Objects)); g.program.Objects[on].Kind == Int && g.IntN(2) == 0 {
		start.Between, start.On, start.Old = true, on, 1+g.IntN(3)
	}
}

// A generator draws the parts of a program.
type generator struct {
	*rand.Rand
	program Program
	timed   bool // every third operation is a Sleep, and there are few
}

// object adds an object, and the objects that it needs.
func (g *generator) object(kind Kind) {
	o := Object{Kind: kind}
	switch kind {
	case Chan:
		o.Size = g.IntN(3)
	case Group:
		o.Size = g.IntN(3)
	case Plain:
		lock := Mutex
		if g.IntN(2) == 0 {
			lock = RWMutex
		}
		g.program.Objects = append(g.program.Objects, Object{Kind: lock}, o)
		return
	case Timer:
		o.Size = 1 + g.IntN(3)
		g.program.Objects = append(g.program.Objects, Object{Kind: Int})
	case Once:
		g.program.Objects = append(g.program.Objects, Object{Kind: Int})
	}
	g.program.Objects = append(g.program.Objects, o)
}

// verbs are the operations that need no others around them.
var verbs = map[Kind][]Verb{
	Int:     {Load, Load, Store, Add, Count, Count, Swap, CAS, And, Or},
	Word:    {Load, Store, LowAdd, Count, HighLoad, HighStore},
	Value:   {Load, Store, Swap, CAS},
	Chan:    {Send, Recv, Send, Recv, TrySend, TryRecv, Len, Close, Select, Select},
	Group:   {Done, Done, Wait, Wait, GroupAdd},
	Once:    {Do},
	Map:     {MapLoad, MapStore, LoadOrStore, LoadAndDelete, MapCAS},
	Context: {Cancel, Cause, TryDone, AwaitDone},
	Timer:   {TimerStop, TimerStop, TimerReset},
	Pool:    {PoolGet, PoolGet, PoolPut},
}

// some draws one operation, or the operations of a critical section.
func (g *generator) some() []Op {
	if g.timed && g.IntN(3) == 0 {
		return []Op{{Verb: Sleep, Arg: 1 + g.IntN(3)}}
	}
	switch g.IntN(20) {
	case 0:
		return []Op{{Verb: Gosched}}
	case 1:
		return []Op{{Verb: Sleep, Arg: 1 + g.IntN(3)}}
	}
	on := g.IntN(len(g.program.Objects))
	switch kind := g.program.Objects[on].Kind; kind {
	case Plain:
		return g.section(on-1, on)
	case Mutex, RWMutex:
		plain := -1
		if on+1 < len(g.program.Objects) && g.program.Objects[on+1].Kind == Plain {
			plain = on + 1
		}
		return g.section(on, plain)
	case Cond:
		return g.condition(on)
	default:
		op := Op{Verb: verbs[kind][g.IntN(len(verbs[kind]))], On: on, Arg: 1 + g.IntN(3)}
		if g.timed && kind == Chan && g.IntN(3) == 0 {
			op.Verb = Select
		}
		return []Op{g.filled(op)}
	}
}

// filled gives an operation what its verb needs.
func (g *generator) filled(op Op) Op {
	op.Reflect = (op.Verb == Select || g.program.Objects[op.On].Kind == Chan) && g.IntN(3) == 0
	switch op.Verb {
	case Store, Add, Count:
		op.Last = g.program.Objects[op.On].Kind == Int && g.IntN(2) == 0
	case CAS, MapCAS:
		op.Old = g.IntN(3)
		if op.Verb == MapCAS {
			op.Old++
		}
	case Do:
		op.Arg = op.On - 1
	case Select:
		if op.Arg = g.IntN(3); g.timed {
			op.Arg = 2
		}
		cases := 2
		if op.Reflect {
			cases += g.IntN(2)
		}
		for range cases {
			op.Cases = append(op.Cases, Case{On: g.channel(), Send: g.IntN(2) == 0, Arg: 1 + g.IntN(3)})
		}
	}
	return op
}

// channel draws one of the channels; there is at least one.
func (g *generator) channel() int {
	for {
		if on := g.IntN(len(g.program.Objects)); g.program.Objects[on].Kind == Chan {
			return on
		}
	}
}

// section draws a critical section, in which a Plain object may be used.
func (g *generator) section(lock, plain int) []Op {
	read := g.program.Objects[lock].Kind == RWMutex && g.IntN(2) == 0
	begin, end := Op{Verb: Lock, On: lock}, Op{Verb: Unlock, On: lock}
	if read {
		begin.Verb, end.Verb = RLock, RUnlock
	}
	var inside []Op
	switch {
	case plain >= 0 && read:
		inside = []Op{{Verb: PlainLoad, On: plain}}
	case plain >= 0:
		inside = []Op{{Verb: PlainLoad, On: plain}, {Verb: PlainStore, On: plain, Arg: 1, Last: true}}[g.IntN(2):]
	case g.IntN(3) > 0:
		inside = g.free(lock)
	}
	if g.IntN(3) == 0 {
		begin.Verb = TryLock
		if read {
			begin.Verb = TryRLock
		}
		begin.Skip = len(inside) + 1
	}
	return append(append([]Op{begin}, inside...), end)
}

// free draws an operation that does not use the lock held, if one is.
func (g *generator) free(lock int) []Op {
	for range 5 {
		on := g.IntN(len(g.program.Objects))
		switch kind := g.program.Objects[on].Kind; kind {
		case Plain, Mutex, RWMutex, Cond:
		default:
			return []Op{g.filled(Op{Verb: verbs[kind][g.IntN(len(verbs[kind]))], On: on, Arg: 1 + g.IntN(3)})}
		}
	}
	return nil
}

// condition draws one side of the use of a condition variable.
func (g *generator) condition(on int) []Op {
	op := Op{Verb: []Verb{CondWait, Signal, Broadcast}[g.IntN(3)], On: on}
	if op.Verb != CondWait && g.IntN(2) == 0 {
		return []Op{op}
	}
	return []Op{{Verb: CondLock, On: on}, op, {Verb: CondUnlock, On: on}}
}
