package litmus_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/litmus"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A reader checks the rows of a report against what the operations did.
type reader struct {
	p       litmus.Program
	results [][]int
	tl      *timeline.Timeline
	rows    [][][]*timeline.Step   // by task and operation
	ops     map[*timeline.Step]ref // by row: its operation
	now     []known                // by object: its state after the rows read so far
	names   []map[string]bool      // by object: its names in the report
	wrong   []string
}

// A ref is an operation of a task.
type ref struct{ task, op int }

// A known is the state of an object after some rows.
type known struct {
	n       int64          // its value, or its counter; of a Word, its lower half
	high    int64          // of a Word, its upper half
	holding map[int]int    // tasks that hold it, are about to, or have just released it
	inWait  map[int]string // tasks in a wait on a condition
}

// wrongWords lists the errors of a report.
func wrongWords(p litmus.Program, tl *timeline.Timeline) []string {
	r := &reader{p: p, tl: tl, ops: make(map[*timeline.Step]ref), now: make([]known, len(p.Objects)), names: make([]map[string]bool, len(p.Objects))}
	for i, o := range p.Objects {
		r.now[i] = known{holding: make(map[int]int), inWait: make(map[int]string)}
		r.names[i] = make(map[string]bool)
		if o.Kind == litmus.Group {
			r.now[i].n = int64(o.Size)
		}
	}
	r.sort()
	for i := range tl.Steps {
		s := &tl.Steps[i]
		r.plainWords(s)
		if at, ok := r.ops[s]; ok {
			r.follow(s, at)
		} else if strings.HasPrefix(s.Op, "Add(") {
			r.fired(s)
		}
	}
	for task := range r.rows {
		for op := range r.rows[task] {
			r.compare(ref{task, op})
		}
	}
	r.distinct()
	r.cause()
	r.stops()
	return r.wrong
}

func (r *reader) say(s *timeline.Step, format string, args ...any) {
	where := ""
	if s != nil {
		where = fmt.Sprintf("row %d (%s %s %s (%s)): ", s.Index, s.Op, s.Object, s.Value, s.Outcome)
	}
	r.wrong = append(r.wrong, where+fmt.Sprintf(format, args...))
}

// sort finds the operation of each row, by the lines that tasks log.
func (r *reader) sort() {
	for _, ops := range r.p.Tasks {
		r.rows = append(r.rows, make([][]*timeline.Step, len(ops)))
		r.results = append(r.results, slices.Repeat([]int{litmus.Never}, len(ops)))
	}
	at := make(map[int]ref)
	for i := range r.tl.Steps {
		s := &r.tl.Steps[i]
		var task, op, result int
		if s.Op == "log" {
			if scan(s.Value, mark+" %d %d %d", &task, &op, &result) {
				at[s.Thread] = ref{task, op}
				r.results[task][op] = result
				if want := r.thread(task); r.tl.Threads[s.Thread].Name != want {
					r.say(s, "a line of %s is in the column of %s", want, r.tl.Threads[s.Thread].Name)
				}
			}
			continue
		}
		if s.Op == "T.Wait" || s.Op == "start" || s.Op == "read" || s.Op == "write" { // of no operation of p
			continue
		}
		if now, ok := at[s.Thread]; ok {
			r.rows[now.task][now.op] = append(r.rows[now.task][now.op], s)
			r.ops[s] = now
		}
	}
}

func (r *reader) thread(task int) string {
	if task == 0 {
		return "body"
	}
	return fmt.Sprint("task ", task)
}

func (r *reader) op(at ref) litmus.Op { return r.p.Tasks[at.task][at.op] }
func (r *reader) result(at ref) int   { return r.results[at.task][at.op] }

// arg returns the argument of an operation.
func (r *reader) arg(at ref) int {
	op := r.op(at)
	if !op.Last {
		return op.Arg
	}
	for k := at.op - 1; k >= 0; k-- {
		if got := r.results[at.task][k]; got != litmus.Never { // it was not left out
			return op.Arg + got
		}
	}
	return op.Arg
}

// longest is the maximum number of characters in a cell.
const longest = 60

// plainWords checks for what no row may contain.
func (r *reader) plainWords(s *timeline.Step) {
	for _, text := range []string{s.Op, s.Object, s.Value, s.Outcome} {
		if s.Op != "log" && (len(text) > longest || strings.ContainsAny(text, "\n{;")) {
			r.say(s, "is no short line: %q", text)
		}
	}
	if strings.Contains(s.Outcome, "explore.") || strings.Contains(s.Outcome, ".func") {
		r.say(s, "names a goroutine by its function")
	}
	for _, name := range listedTasks.FindAllString(s.Outcome, -1) {
		if !slices.ContainsFunc(r.tl.Threads, func(t timeline.Thread) bool { return t.Name == name }) {
			r.say(s, "names %s, who is in no column", name)
		}
	}
}

var listedTasks = regexp.MustCompile(`task \d+`)

func blocked(s *timeline.Step) bool {
	return strings.HasPrefix(s.Outcome, "blocked") || strings.Contains(s.Outcome, "blocked again")
}

// follow checks a row against its object's state after the rows before, and updates it.
func (r *reader) follow(s *timeline.Step, at ref) {
	op := r.op(at)
	if onNothing(op) || op.Verb == litmus.Select {
		return
	}
	on := op.On
	if op.Verb == litmus.Do && strings.HasPrefix(s.Op, "Add") {
		on = op.Arg
	}
	if s.Object != "" && r.p.Objects[on].Kind != litmus.Context {
		r.names[on][s.Object] = true
	}
	x := &r.now[on]
	rows := r.rows[at.task][at.op]
	last := rows[len(rows)-1] == s
	switch r.p.Objects[on].Kind {
	case litmus.Int, litmus.Group:
		r.changes(s, x)
	case litmus.Word:
		r.halves(s, op.Verb, x)
	case litmus.Value:
		r.changes(s, x)
	case litmus.Mutex, litmus.RWMutex, litmus.Cond:
		r.holds(s, at, x, last)
	}
}

// fired follows what a timer has added to the Int before it.
func (r *reader) fired(s *timeline.Step) {
	for i, o := range r.p.Objects {
		if o.Kind == litmus.Timer && (r.names[i-1][s.Object] || r.timers() == 1) {
			r.changes(s, &r.now[i-1])
			return
		}
	}
}

func (r *reader) timers() (n int) {
	for _, o := range r.p.Objects {
		if o.Kind == litmus.Timer {
			n++
		}
	}
	return n
}

// onNothing reports whether an operation has no object.
func onNothing(op litmus.Op) bool {
	return op.Verb == litmus.Start || op.Verb == litmus.Gosched || op.Verb == litmus.Sleep
}

// halves follows the two halves of a word.
func (r *reader) halves(s *timeline.Step, verb litmus.Verb, x *known) {
	one := known{n: x.n}
	switch verb {
	case litmus.HighLoad, litmus.HighStore:
		one.n = x.high
		r.changes(s, &one)
		x.high = one.n
	case litmus.LowAdd, litmus.Count:
		r.changes(s, x)
	default:
		one.n = x.high<<32 | x.n
		r.changes(s, &one)
		x.n, x.high = int64(uint32(one.n)), one.n>>32
	}
}

var changed = regexp.MustCompile(`^(-?\w+) → (-?\w+)$`)

// changes follows the value of an Int.
func (r *reader) changes(s *timeline.Step, x *known) {
	is := x.n
	number := func(text string) int64 {
		if text == "nil" {
			return 0
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			r.say(s, "has a value that is no number: %v", err)
		}
		return n
	}
	if m := changed.FindStringSubmatch(strings.TrimPrefix(s.Value, "= true: ")); m != nil {
		if was := number(m[1]); was != x.n && r.timers() < 2 {
			r.say(s, "the value before was %d", x.n)
		}
		is = number(m[2])
	}
	var delta, old, to int64
	switch {
	case scan(s.Op, "Add(%d)", &delta):
		is = x.n + delta
	case scan(strings.TrimPrefix(s.Op, "Value."), "Swap(%d)", &to):
		is = to
	case scan(s.Op, "CompareAndSwap(%d→%d)", &old, &to):
		if (x.n == old) != (s.Value == "= true") {
			r.say(s, "compared %d with %d", old, x.n)
		}
		if x.n == old {
			is = to
		}
	}
	x.n = is
}

func scan(text, format string, to ...any) bool {
	n, err := fmt.Sscanf(text, format, to...)
	return err == nil && n == len(to)
}

// holds follows which tasks hold a lock, and which wait on a condition.
func (r *reader) holds(s *timeline.Step, at ref, x *known, last bool) {
	if names, ok := strings.CutPrefix(s.Outcome[max(0, strings.Index(s.Outcome, "held by ")):], "held by "); ok {
		for name := range strings.SplitSeq(names, ", ") {
			task, _ := strconv.Atoi(strings.TrimPrefix(name, "task "))
			if name != "itself" && x.holding[task] == 0 {
				r.say(s, "%s holds nothing", name)
			}
		}
	}
	got := r.result(at)
	rows := r.rows[at.task][at.op]
	switch r.op(at).Verb {
	case litmus.Lock, litmus.RLock, litmus.CondLock, litmus.TryLock, litmus.TryRLock:
		if rows[0] == s {
			x.holding[at.task]++
		}
		if tries := r.op(at).Verb == litmus.TryLock || r.op(at).Verb == litmus.TryRLock; last && tries && got != 1 {
			x.holding[at.task]--
		}
	case litmus.Unlock, litmus.RUnlock, litmus.CondUnlock:
		if last {
			x.holding[at.task]--
		}
	case litmus.CondWait:
		if rows[0] == s {
			x.inWait[at.task] = r.thread(at.task)
		}
		if last {
			delete(x.inWait, at.task)
		}
	case litmus.Signal, litmus.Broadcast:
		r.wakes(s, at, x)
	}
}

// wakes checks a signal against the waiting tasks.
func (r *reader) wakes(s *timeline.Step, at ref, x *known) {
	if s.Outcome == "nobody waits" && len(x.inWait) > 0 {
		r.say(s, "%v wait", x.inWait)
	}
	for _, name := range listedTasks.FindAllString(s.Outcome, -1) {
		task, _ := strconv.Atoi(strings.TrimPrefix(name, "task "))
		if x.inWait[task] == "" {
			r.say(s, "%s does not wait", name)
		}
		delete(x.inWait, task)
	}
	if r.op(at).Verb == litmus.Broadcast && len(x.inWait) > 0 {
		r.say(s, "%v wait too", x.inWait)
	}
}

// distinct checks that no two objects have the same name.
func (r *reader) distinct() {
	for i, names := range r.names {
		for k := range i {
			for name := range names {
				if r.names[k][name] && r.p.Objects[i].Kind == r.p.Objects[k].Kind {
					r.say(nil, "objects %d and %d are both called %s", k, i, name)
				}
			}
		}
	}
}
