package timeline_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// cycleOf is a closed wait-for cycle of n threads.
func cycleOf(n int) []timeline.Wait {
	var all []timeline.Wait
	for i := range n {
		all = append(all, timeline.Wait{
			Thread: fmt.Sprintf("thread-%d-with-a-name-that-is-too-long", i), Object: fmt.Sprintf("mu#%d", i),
			Holder: fmt.Sprintf("thread-%d-with-a-name-that-is-too-long", (i+1)%n), Where: "c.go:7",
		})
	}
	return all
}

var (
	ringSize = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)" width`)
	ringBox  = regexp.MustCompile(`<g class="(?:thread|object)"><title>([^<]*)</title><rect x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"`)
	ringEdge = regexp.MustCompile(`class="edge (waits|held)" d="M(-?\d+) (-?\d+)Q(-?\d+) (-?\d+) (-?\d+) (-?\d+)"`)
)

// integers parses submatches from the given one on.
func integers(t *testing.T, match []string, from int) []int {
	t.Helper()
	var all []int
	for _, text := range match[from:] {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}

// A rect is left, top, width and height.
type rect []int

func (r rect) holds(x, y, slack int) bool {
	return x >= r[0]-slack && x <= r[0]+r[2]+slack && y >= r[1]-slack && y <= r[1]+r[3]+slack
}

// TestRing checks the drawing of cycles of all sizes: boxes lie inside it and
// apart, and each arrow goes from the edge of a box to the edge of the next.
func TestRing(t *testing.T) {
	for n := 1; n <= 12; n++ {
		page := asHTML(t, &timeline.Timeline{Cycle: cycleOf(n)})
		size := ringSize.FindStringSubmatch(page)
		if size == nil {
			t.Fatalf("%d threads: got no drawing", n)
		}
		area := append(rect{0, 0}, integers(t, size, 1)...)
		var boxes []rect
		for _, m := range ringBox.FindAllStringSubmatch(page, -1) {
			boxes = append(boxes, integers(t, m, 2))
		}
		edges := ringEdge.FindAllStringSubmatch(page, -1)
		if len(boxes) != 2*n || len(edges) != 2*n {
			t.Fatalf("%d threads: got %d boxes and %d arrows, want %d", n, len(boxes), len(edges), 2*n)
		}
		for i, b := range boxes {
			if !area.holds(b[0], b[1], 0) || !area.holds(b[0]+b[2], b[1]+b[3], 0) {
				t.Errorf("%d threads: box %v is not inside %v", n, b, area)
			}
			for _, other := range boxes[:i] {
				if b[0] < other[0]+other[2] && other[0] < b[0]+b[2] && b[1] < other[1]+other[3] && other[1] < b[1]+b[3] {
					t.Errorf("%d threads: boxes %v and %v overlap", n, b, other)
				}
			}
			p, next := integers(t, edges[i], 2), boxes[(i+1)%len(boxes)]
			if kind := []string{"waits", "held"}[i%2]; edges[i][1] != kind {
				t.Errorf("%d threads: arrow %d: got %s, want %s", n, i, edges[i][1], kind)
			}
			starts := b.holds(p[0], p[1], 4) && !b.holds(p[0], p[1], 0)
			ends := next.holds(p[4], p[5], 4) && !next.holds(p[4], p[5], 0)
			if !starts || !ends || !area.holds(p[2], p[3], 0) {
				t.Errorf("%d threads: arrow %v does not lead from %v to %v", n, p, b, next)
			}
		}
		wants(t, page, "thread-0-with-a-name-that-is-too-long")
	}
}

// TestRingWithoutObject checks that what is not known is called so.
func TestRingWithoutObject(t *testing.T) {
	page := asHTML(t, &timeline.Timeline{Cycle: []timeline.Wait{{Thread: "A", Holder: "A"}}})
	wants(t, page, "<title>unknown</title>", "<title>A</title>")
}

var markup = regexp.MustCompile(`<[^>]*>`)

// TestChains checks cycles that are not closed, and one too large to draw.
func TestChains(t *testing.T) {
	wait := func(thread, object, holder string) timeline.Wait {
		return timeline.Wait{Thread: thread, Object: object, Holder: holder}
	}
	for _, c := range []struct {
		name  string
		cycle []timeline.Wait
		want  []string
	}{
		{"no holder", []timeline.Wait{wait("A", "ch", "")}, []string{"A ─ waits for → ch"}},
		{"no object", []timeline.Wait{wait("A", "", "B")}, []string{"A ─ waits for → ─ held by → B"}},
		{"goes on", []timeline.Wait{wait("A", "m", "B"), wait("B", "n", "C")}, []string{"A ─ waits for → m ─ held by → B ─ waits for → n ─ held by → C"}},
		{"starts anew", []timeline.Wait{wait("A", "m", "B"), wait("C", "n", "A")}, []string{"A ─ waits for → m ─ held by → B", "C ─ waits for → n ─ held by → A"}},
		{"no thread", []timeline.Wait{wait("", "m", "")}, []string{"─ waits for → m"}},
	} {
		page := asHTML(t, &timeline.Timeline{Cycle: c.cycle})
		var got []string
		for _, l := range strings.Split(page, "\n") {
			if strings.HasPrefix(l, `<p class="chain">`) {
				got = append(got, strings.TrimSpace(markup.ReplaceAllString(l, "")))
			}
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) || strings.Contains(page, "<svg") {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if page := asHTML(t, &timeline.Timeline{Cycle: cycleOf(13)}); strings.Contains(page, "<svg") || !strings.Contains(page, `class="chain"`) {
		t.Error("13 threads: got a drawing, want a chain")
	}
}
