package explore

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A placeState is what a goroutine is about to do, or what keeps it.
type placeState uint8

const (
	placeBefore  placeState = iota // it stands before an operation
	placeBlocked                   // it waits in an operation
	placeWoken                     // it has waited, and can go on
	placeEnded
)

var placeStates = [...]string{placeBefore: "before", placeBlocked: "blocked in", placeWoken: "woken in", placeEnded: "at its end"}

// A place is where a goroutine stands between two of its steps, in words that
// mean the same in another build of the program.
type place struct {
	state      placeState
	op         string // "Mutex.Lock", or "" at its end
	function   string
	object     int // number among the objects of its kind, in order of first use; 0 if it has none
	onObject   int // see anchor
	inFunction int
	anywhere   int
}

func (p place) String() string {
	if p.state == placeEnded {
		return placeStates[p.state]
	}
	return placeText(p.state, p.op, p.object, p.function)
}

// plain is the place without the object and how often it was come to.
func (p place) plain() string {
	return placeText(p.state, p.op, 0, p.function)
}

func placeText(state placeState, op string, object int, function string) string {
	text := placeStates[state] + " " + op
	if object > 0 {
		text += fmt.Sprintf(" of %s %d", objectWord(op), object)
	}
	if function != "" {
		text += " in " + function
	}
	return text
}

// objectWord is what operations like op work on.
func objectWord(op string) string {
	for _, w := range []struct{ part, word string }{
		{"Lock", "lock"}, {"send", "channel"}, {"receive", "channel"}, {"close", "channel"}, {"select", "channel"},
		{"map", "map"}, {"WaitGroup", "wait group"}, {"Cond", "condition"}, {"Once", "once"}, {"atomic", "atomic"},
	} {
		if strings.Contains(op, w.part) || strings.Contains(op, strings.ToLower(w.part)) {
			return w.word
		}
	}
	return "object"
}

// A thing is what operations are on.
type thing struct {
	kind    string
	address uintptr
}

// A placeKind is what places of a goroutine have in common.
type placeKind struct {
	member   uint32
	state    placeState
	op       string
	function string
	object   int // or one of these two
}

// What places have in common that differ in the object, or in the function too.
const (
	anyObject = -1 - iota
	anyFunction
)

// A tracker writes down the places of every goroutine of an execution.
type tracker struct {
	ex      *execution
	noted   int                // steps of the execution that have been
	places  map[uint32][]place // after each step of a goroutine
	counts  map[placeKind]int
	numbers map[string]int // objects of each kind
	objects map[thing]int  // their numbers
	known   int            // members whose path is known
	paths   map[uint32][]int
	born    map[uint32]int // children of each
}

func newTracker(ex *execution) *tracker {
	return &tracker{
		ex: ex, places: make(map[uint32][]place), counts: make(map[placeKind]int), numbers: make(map[string]int),
		objects: make(map[thing]int), paths: make(map[uint32][]int), born: make(map[uint32]int),
	}
}

// arrived notes where the goroutine that ran last has come to. It may be called
// more than once after a step. A nil tracker notes nothing.
func (t *tracker) arrived() {
	if t == nil || t.ex.ran == 0 || t.noted == t.ex.steps {
		return
	}
	t.noted = t.ex.steps
	id := t.ex.ran
	t.places[id] = append(t.places[id], t.count(id, t.look(t.ex.e.Member(int(id)))))
}

// look says where a member stands.
func (t *tracker) look(m *control.Member) place {
	p := place{}
	was := t.last(m.ID)
	switch {
	case m.State == control.Blocked, m.Op == control.OpWoken:
		p = place{state: placeBlocked, op: m.WaitReason(), function: was.function, object: was.object}
		if m.State != control.Blocked {
			p.state = placeWoken
		}
		return p
	case m.State != control.Runnable:
		return place{state: placeEnded}
	}
	s := t.ex.x.sites.of(m)
	p.op, p.function = s.op, t.ex.x.plainName(s.user.function)
	if m.Addr != 0 {
		p.object = t.object(objectWord(s.op), m.Addr-s.offset)
	}
	return p
}

// last is where a goroutine stands. A nil tracker does not know.
func (t *tracker) last(id uint32) place {
	if t == nil {
		return place{}
	}
	if all := t.places[id]; len(all) > 0 {
		return all[len(all)-1]
	}
	return place{}
}

func (t *tracker) object(kind string, address uintptr) int {
	key := thing{kind, address}
	if t.objects[key] == 0 {
		t.numbers[kind]++
		t.objects[key] = t.numbers[kind]
	}
	return t.objects[key]
}

// count numbers a place among those of the goroutine that are like it.
func (t *tracker) count(id uint32, p place) place {
	next := func(function string, object int) int {
		key := placeKind{id, p.state, p.op, function, object}
		t.counts[key]++
		return t.counts[key]
	}
	p.onObject, p.inFunction, p.anywhere = next(p.function, p.object), next(p.function, anyObject), next("", anyFunction)
	return p
}

// path is how a goroutine came to be: which child it is of which child of … of
// the body.
func (t *tracker) path(id uint32) []int {
	for t.known < t.ex.e.Len() {
		t.known++
		m := t.ex.e.Member(t.known)
		if m.ID == 1 {
			continue
		}
		t.born[m.Parent]++
		up := t.paths[m.Parent]
		if m.Parent == 0 {
			up = []int{0} // of a timer
		}
		t.paths[m.ID] = append(up[:len(up):len(up)], t.born[m.Parent])
	}
	return t.paths[id]
}

// identity is what a goroutine is called in cards: its name if it was given one,
// else the function it runs, who started it, and which of these it is.
func (ex *execution) identity(id uint32) string {
	if _, given := ex.given[id]; given || id <= 1 {
		return ex.name(id)
	}
	m := ex.e.Member(int(id))
	name := ex.plainStart(m)
	n := 1
	for other := uint32(1); other < id; other++ {
		o := ex.e.Member(int(other))
		if _, given := ex.given[other]; !given && o.Parent == m.Parent && ex.plainStart(o) == name {
			n++
		}
	}
	if m.Parent > 1 {
		name += " of " + ex.identity(m.Parent)
	}
	if n > 1 {
		name += " #" + digits(n)
	}
	return name
}

func (ex *execution) plainStart(m *control.Member) string {
	return ex.x.plain(m.StartPC)
}

// plain is plainFunction of the function that begins at pc. Many goroutines run
// the same few.
func (x *explorer) plain(pc uintptr) string {
	name, known := x.starts[pc]
	if !known {
		name = plainFunction(functionName(pc))
		x.starts[pc] = name
	}
	return name
}

// plainName is plainFunction of a name, of which there are few.
func (x *explorer) plainName(name string) string {
	plain, known := x.plains[name]
	if !known {
		plain = plainFunction(name)
		x.plains[name] = plain
	}
	return plain
}

// closures is the part of a function's name that numbers functions within it,
// which changes when another is added before it. wrappers are functions that
// the compiler makes of statements.
var (
	closures = regexp.MustCompile(`\.func\d+.*$`)
	wrappers = regexp.MustCompile(`(\.(gowrap|deferwrap)|-range)\d+`)
)

// plainFunction is a function's name as cards have it: without the directories
// of its package, type arguments, and the numbers of functions in functions.
func plainFunction(name string) string {
	if name == "" {
		return ""
	}
	name = wrappers.ReplaceAllString(shortFunction(strings.TrimSuffix(name, "-fm")), "")
	return closures.ReplaceAllString(name, ".func")
}
