package engine

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A PositionState says what a goroutine is about to do, or what blocks it.
type PositionState uint8

const (
	positionBefore  PositionState = iota // it stands before an operation
	positionBlocked                      // it waits in an operation
	positionWoken                        // it has waited, and can go on
	PositionEnded
)

var PositionStates = [...]string{positionBefore: "before", positionBlocked: "blocked in", positionWoken: "woken in", PositionEnded: "at its end"}

// A Position is where a goroutine stands between two of its steps, in words that mean
// the same in another build of the program.
type Position struct {
	State      PositionState
	Op         string // "Mutex.Lock", or "" at its end
	Function   string
	Object     int // number among the objects of its kind, in order of first use; 0 if it has none
	OnObject   int // see anchor
	InFunction int
	Anywhere   int
}

func (p Position) String() string {
	if p.State == PositionEnded {
		return PositionStates[p.State]
	}
	return PositionText(p.State, p.Op, p.Object, p.Function)
}

// plain is the position without the object and the counts.
func (p Position) plain() string {
	return PositionText(p.State, p.Op, 0, p.Function)
}

func PositionText(state PositionState, op string, object int, function string) string {
	text := PositionStates[state] + " " + op
	if object > 0 {
		text += fmt.Sprintf(" of %s %d", source.ObjectWord(op), object)
	}
	if function != "" {
		text += " in " + function
	}
	return text
}

// A thing is what operations are on.
type thing struct {
	kind    string
	address uintptr
}

// A positionKind is a class of positions of one goroutine, which are counted together.
type positionKind struct {
	task     uint32
	state    PositionState
	op       string
	function string
	object   int // or anyObject or anyFunction
}

// Classes of positions that may differ in the object, or in the function too.
const (
	anyObject = -1 - iota
	anyFunction
)

// A Tracker records the positions of every goroutine of an execution.
type Tracker struct {
	ex        *Execution
	noted     int                   // the step last recorded
	Positions map[uint32][]Position // by goroutine: its position after each of its steps
	counts    map[positionKind]int
	numbers   map[string]int // how many objects each kind has
	objects   map[thing]int  // number of each object within its kind
	known     int            // tasks with lower or equal numbers have a path
	paths     map[uint32][]int
	born      map[uint32]int // how many children each task has
}

func NewTracker(ex *Execution) *Tracker {
	return &Tracker{
		ex: ex, Positions: make(map[uint32][]Position), counts: make(map[positionKind]int), numbers: make(map[string]int),
		objects: make(map[thing]int), paths: make(map[uint32][]int), born: make(map[uint32]int),
	}
}

// arrived records the position of the goroutine that ran last. It may be called more
// than once after a step. A nil tracker records nothing.
func (t *Tracker) arrived() {
	if t == nil || t.ex.ran == 0 || t.noted == t.ex.Steps {
		return
	}
	t.noted = t.ex.Steps
	id := t.ex.ran
	t.Positions[id] = append(t.Positions[id], t.count(id, t.look(t.ex.Control.Task(int(id)))))
}

// look returns the position of a task.
func (t *Tracker) look(m *control.Task) Position {
	p := Position{}
	was := t.Last(m.ID)
	switch {
	case m.State == control.Blocked, m.Op == control.OpWoken:
		p = Position{State: positionBlocked, Op: m.WaitReason(), Function: was.Function, Object: was.Object}
		if m.State != control.Blocked {
			p.State = positionWoken
		}
		return p
	case m.State != control.Runnable:
		return Position{State: PositionEnded}
	}
	s := t.ex.Engine.Sites.Of(m)
	p.Op, p.Function = s.Op, t.ex.Engine.plainName(s.User.Function)
	if m.Addr != 0 {
		p.Object = t.object(source.ObjectWord(s.Op), m.Addr-s.Offset)
	}
	return p
}

// Last returns a goroutine's position. A nil tracker returns the zero Position.
func (t *Tracker) Last(id uint32) Position {
	if t == nil {
		return Position{}
	}
	if all := t.Positions[id]; len(all) > 0 {
		return all[len(all)-1]
	}
	return Position{}
}

func (t *Tracker) object(kind string, address uintptr) int {
	key := thing{kind, address}
	if t.objects[key] == 0 {
		t.numbers[kind]++
		t.objects[key] = t.numbers[kind]
	}
	return t.objects[key]
}

// count numbers a position within its classes.
func (t *Tracker) count(id uint32, p Position) Position {
	next := func(function string, object int) int {
		key := positionKind{id, p.State, p.Op, function, object}
		t.counts[key]++
		return t.counts[key]
	}
	p.OnObject, p.InFunction, p.Anywhere = next(p.Function, p.Object), next(p.Function, anyObject), next("", anyFunction)
	return p
}

// Path is the ancestry of a goroutine: which child it is of which child … of the
// body.
func (t *Tracker) Path(id uint32) []int {
	for t.known < t.ex.Control.Len() {
		t.known++
		m := t.ex.Control.Task(t.known)
		if m.ID == 1 {
			continue
		}
		t.born[m.Parent]++
		up := t.paths[m.Parent]
		if m.Parent == 0 {
			up = []int{0} // started by a timer
		}
		t.paths[m.ID] = append(up[:len(up):len(up)], t.born[m.Parent])
	}
	return t.paths[id]
}

// Identity is the name of a goroutine in cards: the name it was given, or else the function
// that it runs, its parent's identity, and its number among the goroutines with the same ones.
func (ex *Execution) Identity(id uint32) string {
	if id == schedule.Clock {
		return "the clock"
	}
	if _, given := ex.givenName(id); given || id <= 1 {
		return ex.Name(id)
	}
	m := ex.Control.Task(int(id))
	name := ex.plainStart(m)
	n := 1
	for other := uint32(1); other < id; other++ {
		o := ex.Control.Task(int(other))
		if _, given := ex.givenName(other); !given && o.Parent == m.Parent && o.Leftover() == m.Leftover() && ex.plainStart(o) == name {
			n++
		}
	}
	if m.Parent > 1 {
		name += " of " + ex.Identity(m.Parent)
	}
	if n > 1 {
		name += " #" + source.Digits(n)
	}
	return name
}

func (ex *Execution) plainStart(m *control.Task) string {
	return ex.Engine.plainStart(m.StartPC)
}

// plainNames caches names of functions as cards have them, because few of them are
// looked up often.
type plainNames struct {
	starts map[uintptr]string // by first instruction
	names  map[string]string  // by name
}

func newPlainNames() plainNames {
	return plainNames{starts: make(map[uintptr]string), names: make(map[string]string)}
}

// plainStart is [source.PlainFunction] of the function that begins at pc,
// cached.
func (x *Engine) plainStart(pc uintptr) string {
	name, known := x.plain.starts[pc]
	if !known {
		name = source.PlainFunction(source.FunctionName(pc))
		x.plain.starts[pc] = name
	}
	return name
}

// plainName is [source.PlainFunction] of name, cached.
func (x *Engine) plainName(name string) string {
	plain, known := x.plain.names[name]
	if !known {
		plain = source.PlainFunction(name)
		x.plain.names[name] = plain
	}
	return plain
}
