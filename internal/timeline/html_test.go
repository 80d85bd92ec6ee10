package timeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

func asHTML(t *testing.T, tl *timeline.Timeline) string {
	t.Helper()
	var b bytes.Buffer
	if err := timeline.HTML(&b, tl); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A chart is what the script of a page reads.
type chart struct {
	Texts    []string  `json:"texts"`
	Threads  [][3]int  `json:"threads"`
	Steps    [][10]int `json:"steps"`
	Switches [][3]int  `json:"switches"`
	Stacks   [][]int   `json:"stacks"`
}

var chartOf = regexp.MustCompile(`(?s)<script type="application/json" id="chart">(.*?)</script>`)

func readChart(t *testing.T, page string) chart {
	t.Helper()
	found := chartOf.FindStringSubmatch(page)
	if found == nil {
		t.Fatal("the page has no chart")
	}
	var c chart
	if err := json.Unmarshal([]byte(found[1]), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// wants checks that a page holds each text, escaped.
func wants(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(page), text) {
			t.Errorf("page: got no %q", text)
		}
	}
}

func TestHTMLGolden(t *testing.T) {
	in := readInput(t, filepath.Join("testdata", "deadlock.json"))
	page := asHTML(t, &in.Timeline)
	compare(t, filepath.Join("testdata", "deadlock.html"), page)
	if again := asHTML(t, &in.Timeline); again != page {
		t.Error("the same timeline gave another page")
	}
}

// TestHTMLHasEverything checks the part of the page that needs no script.
func TestHTMLHasEverything(t *testing.T) {
	for _, name := range []string{"deadlock", "data_race", "lost_update", "leak"} {
		t.Run(name, func(t *testing.T) {
			tl := readInput(t, filepath.Join("testdata", name+".json")).Timeline
			page := asHTML(t, &tl)
			wants(t, page, tl.Title, tl.Verdict, tl.Cause, tl.Replay, "<noscript>")
			for _, list := range [][]string{tl.Details, tl.Footer} {
				for _, text := range list {
					wants(t, page, strings.Split(text, "\n")...)
				}
			}
			for _, w := range append(tl.Cycle, tl.Blocked...) {
				wants(t, page, w.Thread, w.Object, w.Holder, w.Where)
			}
			for _, r := range tl.Races {
				for _, a := range r.Accesses {
					wants(t, page, a.Kind+" by "+a.Thread)
					for _, frame := range a.Stack {
						wants(t, page, frame[:strings.LastIndexByte(frame, ' ')])
					}
				}
			}
			checkChart(t, &tl, readChart(t, page))
		})
	}
}

// checkChart compares what the script gets with the timeline, of which every
// text can be printed.
func checkChart(t *testing.T, tl *timeline.Timeline, c chart) {
	t.Helper()
	if len(c.Threads) != len(tl.Threads) || len(c.Steps) != len(tl.Steps) {
		t.Fatalf("got %d threads and %d steps, want %d and %d", len(c.Threads), len(c.Steps), len(tl.Threads), len(tl.Steps))
	}
	for i, s := range tl.Steps {
		got := c.Steps[i]
		var texts []string
		for _, n := range got[2:8] {
			texts = append(texts, c.Texts[n])
		}
		bits := int(s.Mark)
		if s.Matters || s.Mark != timeline.None {
			bits |= 16
		}
		want := []string{s.Op, s.Object, s.Value, s.Outcome, s.Where, s.Func}
		if got[0] != s.Index || got[1] != s.Thread || got[8] != bits || strings.Join(texts, "|") != strings.Join(want, "|") {
			t.Errorf("step %d: got %v %q, want %+v", i, got, texts, s)
		}
	}
}

// TestHTMLStacks checks which steps get the stack of a race: those of the
// thread, at a place in the stack, that do what the access does.
func TestHTMLStacks(t *testing.T) {
	step := func(thread int, op, where string) timeline.Step {
		return timeline.Step{Thread: thread, Op: op, Where: where, Matters: true}
	}
	tl := two("AB", nil)
	tl.Steps = []timeline.Step{
		step(0, "map read", "m.go:12"), step(0, "map write", "m.go:12"), step(1, "map write", "m.go:12"),
		step(0, "map write", "m.go:13"), step(0, "map write", ""), step(1, "map read", "m.go:12"),
	}
	tl.Races = []timeline.Race{{Accesses: [2]timeline.Access{
		{Kind: "write", Thread: tl.Threads[0].Name, Stack: []string{"runtime.assign map.go:1", "put m.go:12"}},
		{Kind: "atomic read", Thread: tl.Threads[1].Name, Stack: []string{"get m.go:12"}},
	}}}
	c := readChart(t, asHTML(t, tl))
	var got []int
	for _, s := range c.Steps {
		got = append(got, s[9])
	}
	if want := "[0 1 0 0 0 2]"; fmt.Sprint(got) != want {
		t.Errorf("stacks of the steps: got %v, want %s", got, want)
	}
	if frames := c.Stacks[0]; len(frames) != 2 || c.Texts[frames[1]] != "put m.go:12" {
		t.Errorf("first stack: got %v of %q", frames, c.Texts)
	}
}

func TestHTMLSwitches(t *testing.T) {
	c := readChart(t, asHTML(t, lostUpdate()))
	if want := "[[1 1 2]]"; fmt.Sprint(c.Switches) != want {
		t.Errorf("switches: got %v, want %s", c.Switches, want)
	}
	alone := two("A", map[int]timeline.Mark{1: timeline.Stopped})
	if c, want := readChart(t, asHTML(t, alone)), "[[1 0 -1]]"; fmt.Sprint(c.Switches) != want {
		t.Errorf("the last step is a stop: got %v, want %s", c.Switches, want)
	}
}

func TestHTMLVerdicts(t *testing.T) {
	for verdict, want := range map[string]string{
		"violated: check": `class="verdict bad"`, "holds": `class="verdict good"`, "unknown: budget": `class="verdict warn"`,
	} {
		wants(t, asHTML(t, &timeline.Timeline{Verdict: verdict}), want, "</span> "+verdict)
	}
	page := asHTML(t, &timeline.Timeline{})
	wants(t, page, "no step was recorded")
	for _, absent := range []string{`class="verdict`, "<h1>", "<footer>", `id="chart"`, "Wait-for"} {
		if strings.Contains(page, absent) {
			t.Errorf("an empty timeline: got %q", absent)
		}
	}
}

// hostile is a timeline of which every text is an attack, or has one in it.
func hostile() *timeline.Timeline {
	const tag = `</script><script>document.documentElement.dataset.owned="1"</script>`
	const attribute = `"'><img src=x onerror='document.documentElement.dataset.owned=1'>`
	const comment = "<!--<script>{{.Replay}}${alert(1)}`</style></title></textarea></noscript>" + tag
	all := tag + attribute + comment
	wait := func(thread, holder string) timeline.Wait {
		return timeline.Wait{Thread: thread, Object: all, Holder: holder, Where: all}
	}
	access := timeline.Access{Kind: all, Thread: all, Stack: []string{all + " " + all}}
	return &timeline.Timeline{
		Title: all, Verdict: "violated: " + all, Details: []string{all + "\n" + all}, Cause: all,
		Threads: []timeline.Thread{{Name: all, CreatedBy: all, Where: all}, {Name: tag}},
		Steps: []timeline.Step{
			{Index: 1, Op: "log", Object: all, Value: all, Outcome: all, Where: all, Func: all, Matters: true, Mark: timeline.Stopped},
			{Index: 2, Thread: 1, Op: all, Matters: true, Mark: timeline.Failed | timeline.Conflict | timeline.Preempted},
		},
		Cycle: []timeline.Wait{wait(tag, attribute), wait(attribute, tag)}, Blocked: []timeline.Wait{wait(all, all)},
		Races: []timeline.Race{{Address: all, Accesses: [2]timeline.Access{access, access}}}, Footer: []string{all}, Replay: all,
	}
}

var (
	elements = regexp.MustCompile(`<(script|img|style|textarea|noscript)\b`)
	remote   = regexp.MustCompile(`(?i)https?:|\bsrc=|\bhref=|@import|@font-face|url\([^#]`)
)

func TestHTMLEscapes(t *testing.T) {
	page, benign := asHTML(t, hostile()), asHTML(t, lostUpdate())
	if got, want := len(elements.FindAllString(page, -1)), len(elements.FindAllString(benign, -1)); got != want {
		t.Errorf("elements that the browser acts on: got %d, want %d", got, want)
	}
	for _, absent := range []string{"<img", "<!--", "ZgotmplZ", "alert(1)}`</"} {
		if strings.Contains(page, absent) {
			t.Errorf("got %q in the page", absent)
		}
	}
	if got := remote.FindAllString(benign, -1); got != nil {
		t.Errorf("the page refers to something outside: %q", got)
	}
	wants(t, page, "script-src 'sha256-", "default-src 'none'")
}

// TestHTMLAnyText shows many random timelines, and fields of arbitrary bytes.
func TestHTMLAnyText(t *testing.T) {
	for seed := range uint64(60) {
		m := maker{rand.New(rand.NewPCG(9, seed))}
		tl := m.timeline()
		for i := range tl.Steps {
			raw := make([]byte, m.IntN(30))
			for j := range raw {
				raw[j] = byte(m.Uint32())
			}
			tl.Steps[i].Value = string(raw)
		}
		page := asHTML(t, &tl)
		ok := func(r rune) bool { return r == '\n' || r != utf8.RuneError && unicode.IsPrint(r) || r == '\uFFFD' }
		if !utf8.ValidString(page) || strings.ContainsFunc(page, func(r rune) bool { return !ok(r) }) {
			t.Fatalf("seed %d: the page has characters that cannot be printed", seed)
		}
		if len(tl.Steps) == 0 {
			continue
		}
		c := readChart(t, page)
		if len(c.Steps) != len(tl.Steps) || len(c.Threads) != len(tl.Threads) {
			t.Fatalf("seed %d: got %d steps, want %d", seed, len(c.Steps), len(tl.Steps))
		}
		for _, s := range c.Switches {
			if s[0] < 1 || s[0] > len(tl.Steps) || s[1] < 0 || s[1] >= len(tl.Threads) || s[2] >= len(tl.Threads) {
				t.Fatalf("seed %d: got switch %v of %d steps", seed, s, len(tl.Steps))
			}
		}
	}
}
