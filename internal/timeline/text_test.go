package timeline_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// two returns a timeline of threads a and b, a step for each letter of order,
// in lower case if it does not matter.
func two(order string, marks map[int]timeline.Mark) *timeline.Timeline {
	tl := &timeline.Timeline{Threads: []timeline.Thread{{Name: "a"}, {Name: "b"}}}
	for i, c := range strings.ToLower(order) {
		tl.Steps = append(tl.Steps, timeline.Step{
			Index: i + 1, Thread: int(c - 'a'), Op: "op", Matters: order[i] < 'a', Mark: marks[i+1],
		})
	}
	return tl
}

// outline is the text's table as one word per row: the step's number, or the
// thread that was stopped and the one that ran instead.
func outline(s string) string {
	var rows []string
	for _, line := range strings.Split(s, "\n") {
		var from, to, n string
		if _, err := fmt.Sscanf(line, "── %s stopped here, %s runs", &from, &to); err == nil {
			rows = append(rows, from+">"+to)
		} else if _, err := fmt.Sscanf(line, "── %s stopped here ──", &from); err == nil {
			rows = append(rows, from+">")
		} else if _, err := fmt.Sscanf(line, "%s │", &n); err == nil && rowLine.MatchString(line) {
			rows = append(rows, n)
		}
		if i := strings.Index(line, "…"); i >= 0 {
			rows = append(rows, "["+strings.TrimSuffix(line[i+len("… "):], " not shown (-v shows all)")+"]")
		}
	}
	return strings.Join(rows, " ")
}

type marks = map[int]timeline.Mark

func TestPreemptions(t *testing.T) {
	const pre, stop = timeline.Preempted, timeline.Stopped
	for _, c := range []struct {
		name, order string
		marks       marks
		want        string
	}{
		{"none", "AABB", nil, "1 2 3 4"},
		{"the resumed step is marked", "AABBA", marks{5: pre}, "1 2 a>b 3 4 5"},
		{"the last step before is marked", "AABBA", marks{2: stop}, "1 2 a>b 3 4 5"},
		{"both are marked", "AABBA", marks{2: stop, 5: pre}, "1 2 a>b 3 4 5"},
		{"never resumed", "AABB", marks{2: stop}, "1 2 a>b 3 4"},
		{"nothing ran any more", "AAB", marks{3: stop}, "1 2 3 b>"},
		{"two in a row", "ABAB", marks{1: stop, 2: stop, 3: pre, 4: pre}, "1 a>b 2 b>a 3 4"},
		{"nothing ran in between", "AAB", marks{1: stop, 2: pre}, "1 2 3"},
		{"first step of the thread", "ABB", marks{2: pre}, "1 2 3"},
		{"hidden steps on both sides", "AabbBA", marks{6: pre}, "1 a>b 5 6"},
		{"a marked step is shown", "AabA", marks{2: stop}, "1 2 a>b 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := text(t, two(c.order, c.marks), timeline.Options{})
			if rows := outline(got); rows != c.want {
				t.Errorf("got %q, want %q\n%s", rows, c.want, got)
			}
			resumed := 0
			for _, m := range c.marks {
				if m.Has(pre) {
					resumed++
				}
			}
			if n := strings.Count(got, "(resumed)"); n != resumed {
				t.Errorf("resumed: got %d, want %d\n%s", n, resumed, got)
			}
		})
	}
}

func TestMaxRows(t *testing.T) {
	const conflict, failed = timeline.Conflict, timeline.Failed
	order := strings.Repeat("A", 20) + strings.Repeat("B", 20)
	for _, c := range []struct {
		max   int
		marks marks
		want  string
	}{
		{1, marks{30: failed}, "[29 steps, 1 preemption] 30 [10 steps]"},
		{3, marks{30: failed}, "1 [28 steps, 1 preemption] 30 [9 steps] 40"},
		{4, marks{10: conflict, 30: failed}, "1 [8 steps] 10 [19 steps, 1 preemption] 30 [9 steps] 40"},
		{6, marks{10: conflict, 30: failed}, "1 [8 steps] 10 [9 steps] 20 a>b 21 [8 steps] 30 [9 steps] 40"},
		{8, nil, "1 2 3 [16 steps] 20 a>b 21 [16 steps] 38 39 40"},
		{12, nil, "1 2 3 4 [14 steps] 19 20 a>b 21 22 [14 steps] 37 38 39 40"},
		{39, nil, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 a>b 21 22 23 24 25 26 27 28 29 [1 step] 31 32 33 34 35 36 37 38 39 40"},
	} {
		t.Run(fmt.Sprint(c.max), func(t *testing.T) {
			tl := two(order, c.marks)
			tl.Steps[19].Mark |= timeline.Stopped
			got := text(t, tl, timeline.Options{MaxRows: c.max})
			if rows := outline(got); rows != c.want {
				t.Errorf("got %q\nwant %q", rows, c.want)
			}
		})
	}
}

func TestVerboseShowsAll(t *testing.T) {
	order := strings.Repeat("aB", 50)
	got := outline(text(t, two(order, nil), timeline.Options{Verbose: true, MaxRows: 5}))
	if n := len(strings.Fields(got)); n != 100 || strings.Contains(got, "[") {
		t.Errorf("got %d rows, want 100: %s", n, got)
	}
}

// TestLeftOut checks that a thread without a row is named, and why.
func TestLeftOut(t *testing.T) {
	tl := two("AAAb", marks{1: timeline.Failed})
	tl.Threads = append(tl.Threads, timeline.Thread{Name: "idle"})
	for _, c := range []struct {
		o    timeline.Options
		want string
	}{
		{timeline.Options{}, "\nno step that matters: b, idle\n"},
		{timeline.Options{Verbose: true}, "\nno step: idle\n"},
	} {
		if got := text(t, tl, c.o); !strings.HasSuffix(got, c.want) {
			t.Errorf("%+v: got\n%s\nwant the end %q", c.o, got, c.want)
		}
	}
	hidden := two("ABA", marks{1: timeline.Failed})
	if got := text(t, hidden, timeline.Options{MaxRows: 1}); !strings.HasSuffix(got, "\nonly steps that are not shown: b\n") {
		t.Errorf("a thread whose rows were given up: got\n%s", got)
	}
	for range 20 {
		tl.Threads = append(tl.Threads, timeline.Thread{Name: "idle"})
	}
	if got := text(t, tl, timeline.Options{}); !strings.Contains(got, "idle (7) and 14 more") {
		t.Errorf("many idle threads: got\n%s", got)
	}
}

// TestCycleThatIsNone draws what it was given rather than invent a link.
func TestCycleThatIsNone(t *testing.T) {
	tl := &timeline.Timeline{Cycle: []timeline.Wait{
		{Thread: "a", Object: "chan#1"}, {Thread: "b", Object: "mu#1", Holder: "c"}, {Thread: "c"}}}
	const want = `wait-for cycle:
  a ─waits for→ chan#1
  b ─waits for→ mu#1 ─held by→ c ─waits for→

waiting at the end:
  a waits for chan#1
  b waits for mu#1, held by c
  c waits
`
	if got := text(t, tl, timeline.Options{}); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant the end\n%s", got, want)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestErrors(t *testing.T) {
	writeText := func(w io.Writer, tl *timeline.Timeline) error {
		return timeline.Text(w, tl, timeline.Options{})
	}
	for name, write := range map[string]func(io.Writer, *timeline.Timeline) error{
		"text": writeText, "json": timeline.JSON, "html": timeline.HTML,
	} {
		t.Run(name, func(t *testing.T) {
			tooHigh := two("AB", nil)
			tooHigh.Steps[1].Thread = 2
			negative := two("A", nil)
			negative.Steps[0].Thread = -1
			for _, tl := range []*timeline.Timeline{nil, tooHigh, negative} {
				var b bytes.Buffer
				if err := write(&b, tl); !errors.Is(err, timeline.ErrInvalid) || b.Len() > 0 {
					t.Errorf("got error %v and text %q, want %v and nothing", err, b.String(), timeline.ErrInvalid)
				}
			}
			want := "timeline: invalid timeline: Steps[1].Thread: got 2, want an index into 2 threads"
			if err := write(io.Discard, tooHigh); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			if err := write(brokenWriter{}, two("A", nil)); !errors.Is(err, errBroken) {
				t.Errorf("got %v, want %v", err, errBroken)
			}
		})
	}
}

// TestHugeFields checks that a field of any length costs a few lines in a cell
// and is whole in free text. A wrap of quadratic cost would show here as a test
// that does not end.
func TestHugeFields(t *testing.T) {
	for _, piece := range []string{"x", "変 → "} {
		huge := strings.Repeat(piece, 1<<16)
		tl := two("AB", nil)
		tl.Cause, tl.Threads[0].Name = huge, huge
		tl.Steps[0].Op, tl.Steps[0].Value, tl.Steps[1].Outcome, tl.Steps[1].Where = huge, huge, huge, huge
		table, cause, _ := strings.Cut(text(t, tl, timeline.Options{Width: 80}), "cause: ")
		if n := strings.Count(table, "\n"); n > 20 {
			t.Errorf("table: got %d lines, want a few", n)
		}
		for _, line := range strings.Split(table, "\n") {
			if cells(line) > 80 {
				t.Errorf("got %d cells, want at most 80: %q", cells(line), line)
			}
		}
		squeeze := strings.NewReplacer(" ", "", "\n", "").Replace
		if squeeze(cause) != squeeze(huge) {
			t.Error("cause: something was lost")
		}
	}
}

// TestWidth checks the measure where the tables of Unicode have edges.
func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "─│◀✗→…": 6, "é": 1, "e\u0301": 1, "変更": 4, "ｆ": 2, "한": 2, "\u1112\u1161\u11ab": 2,
		"👍": 2, "\u2e7f": 1, "\u2e80": 2, "\ufffd": 1, "\U0003fffd": 2, "\U0003fffe": 1, "я": 1,
	} {
		if got := timeline.Width(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}
