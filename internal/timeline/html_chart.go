package timeline

import (
	"slices"
	"strings"
)

// A chart is the data that the script of the page draws, in compact form: texts are indices into
// Texts, where 0 is the empty text. The script reads the fields by position.
type chart struct {
	Texts []string `json:"texts"`
	// Threads are the name, creator and place of each thread.
	Threads [][3]int `json:"threads"`
	// Steps are index, thread, op, object, value, outcome, place, function, bits, and 1 + the index
	// of a stack or 0.
	Steps [][10]int `json:"steps"`
	// Switches are the preemptions in order: the step that each comes before and the threads before
	// and after it (or -1).
	Switches [][3]int `json:"switches"`
	// Stacks are frames, innermost first.
	Stacks [][]int `json:"stacks"`

	known  map[string]int // text → its index
	frames map[string]int // the frames of a step's stack → 1 + its index
}

// shownBit marks, next to the bits of the marks, a step that is shown at first.
const shownBit = 1 << len(markNames)

func newChart(tl *Timeline) *chart {
	c := &chart{
		Threads: [][3]int{}, Steps: make([][10]int, 0, len(tl.Steps)),
		Switches: [][3]int{}, Stacks: [][]int{}, known: map[string]int{}, frames: map[string]int{},
	}
	c.text("")
	for i, name := range threadNames(tl.Threads) {
		t := tl.Threads[i]
		c.Threads = append(c.Threads, [3]int{c.text(name), c.text(t.CreatedBy), c.text(t.Where)})
	}
	stacks := c.stacks(tl.Races)
	stops := switches(tl.Steps)
	for i := range tl.Steps {
		c.stop(stops[i])
		c.Steps = append(c.Steps, c.step(tl, &tl.Steps[i], stacks))
	}
	c.stop(stops[len(tl.Steps)])
	return c
}

// text returns the index of s.
func (c *chart) text(s string) int {
	s = clean(s)
	n, ok := c.known[s]
	if !ok {
		n = len(c.Texts)
		c.known[s] = n
		c.Texts = append(c.Texts, s)
	}
	return n
}

func (c *chart) step(tl *Timeline, s *Step, stacks []stackOf) [10]int {
	bits := int(s.Mark) & (shownBit - 1)
	if s.shown(false) {
		bits |= shownBit
	}
	stack := 1 + slices.IndexFunc(stacks, func(k stackOf) bool { return k.is(tl.Threads[s.Thread].Name, s) })
	if stack == 0 {
		stack = c.stack(s.Stack)
	}
	return [10]int{
		s.Index, s.Thread, c.text(s.Op), c.text(s.Object), c.text(s.Value),
		c.text(s.Outcome), c.text(s.Where), c.text(s.Func), bits, stack,
	}
}

// stack returns 1 + the index of a step's own stack, 0 if it has none. Steps at one place share it.
func (c *chart) stack(frames []string) int {
	if len(frames) == 0 {
		return 0
	}
	key := strings.Join(frames, "\n")
	if n, ok := c.frames[key]; ok {
		return n
	}
	texts := make([]int, len(frames))
	for i, frame := range frames {
		texts[i] = c.text(frame)
	}
	c.Stacks = append(c.Stacks, texts)
	c.frames[key] = len(c.Stacks)
	return len(c.Stacks)
}

func (c *chart) stop(all []item) {
	for _, s := range all {
		c.Switches = append(c.Switches, [3]int{s.step, s.from, s.to})
	}
}

// A stackOf says which steps a stack of c.Stacks belongs to.
type stackOf struct {
	thread, kind string
	places       []string
}

// stacks adds the stacks of the races.
func (c *chart) stacks(races []Race) []stackOf {
	var all []stackOf
	for _, r := range races {
		for _, a := range r.Accesses {
			frames := []int{}
			owner := stackOf{thread: a.Thread, kind: a.Kind[strings.LastIndexByte(a.Kind, ' ')+1:]}
			for _, frame := range a.Stack {
				_, at := splitFrame(frame)
				frames = append(frames, c.text(frame))
				owner.places = append(owner.places, at)
			}
			c.Stacks = append(c.Stacks, frames)
			all = append(all, owner)
		}
	}
	return all
}

// is reports whether s did the access: same thread, a place in the stack, and an operation of the
// same kind ("map write" is a "write").
func (k stackOf) is(thread string, s *Step) bool {
	return thread == k.thread && s.Where != "" && strings.Contains(s.Op, k.kind) &&
		slices.Contains(k.places, clean(s.Where))
}
