package timeline_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A maker makes timelines at random from pieces that the tests can measure.
type maker struct{ *rand.Rand }

var pieces = []string{
	"a", "mu#1", "Mutex.Lock", "(*Context).RecordChange", "changes.go:42", "→", "0 → 1", `"id1"`, " ", "  ", "\n", "\t", "\x1b[31m",
	"\u202e", "\u00a0", "\xff", "変更", "ロック", "e\u0301", "👍🏽", "ｆｕｌｌ", "größe", "/", ".", "_", "very-long-word-without-any-blank-in-it",
	"github.com/acme/platform/internal/lifecycle/service", "\u0301",
}

func (m maker) text(most int) string {
	var b strings.Builder
	for range m.IntN(most + 1) {
		b.WriteString(pieces[m.IntN(len(pieces))])
	}
	return b.String()
}

func (m maker) texts(most int) []string {
	all := make([]string, m.IntN(3))
	for i := range all {
		all[i] = m.text(most)
	}
	return all
}

func (m maker) waits() []timeline.Wait {
	all := make([]timeline.Wait, m.IntN(4))
	for i := range all {
		all[i] = timeline.Wait{Thread: m.text(3), Object: m.text(2), Holder: m.text(2), Where: m.text(2)}
	}
	return all
}

func (m maker) timeline() timeline.Timeline {
	tl := timeline.Timeline{
		Title: m.text(20), Verdict: m.text(10), Details: m.texts(30), Cause: m.text(40),
		Cycle: m.waits(), Blocked: m.waits(), Footer: m.texts(30), Replay: m.text(20),
	}
	for range 1 + m.IntN(14) {
		tl.Threads = append(tl.Threads, timeline.Thread{Name: m.text(3), CreatedBy: m.text(2), Where: m.text(2)})
	}
	for i := range m.IntN(60) {
		tl.Steps = append(tl.Steps, timeline.Step{
			Index: i + 1, Thread: m.IntN(len(tl.Threads)),
			Op: m.text(2), Object: m.text(2), Where: m.text(3), Func: m.text(3), Value: m.text(12), Outcome: m.text(6),
			Mark: m.marks(), Matters: m.IntN(3) > 0,
		})
	}
	for range m.IntN(2) {
		tl.Races = append(tl.Races, timeline.Race{Address: m.text(8), Accesses: [2]timeline.Access{
			{Kind: m.text(1), Thread: m.text(3), Stack: m.texts(6)}, {Kind: "read", Stack: m.texts(6)}}})
	}
	return tl
}

// TestShape shows many random timelines at many widths.
func TestShape(t *testing.T) {
	for seed := range uint64(200) {
		m := maker{rand.New(rand.NewPCG(7, seed))}
		tl := m.timeline()
		o := timeline.Options{Width: 36 + m.IntN(110), Verbose: m.IntN(4) == 0, MaxRows: m.IntN(30)}
		checkShape(t, &tl, o, text(t, &tl, o))
		if t.Failed() {
			t.Fatalf("seed %d, options %+v", seed, o)
		}
	}
}

// TestAnyBytes shows fields of arbitrary bytes: nothing that a terminal would
// take as a command may come through.
func TestAnyBytes(t *testing.T) {
	for seed := range uint64(100) {
		m := maker{rand.New(rand.NewPCG(8, seed))}
		field := func() string {
			raw := make([]byte, m.IntN(80))
			for i := range raw {
				raw[i] = byte(m.Uint32())
			}
			return string(raw) + string(rune(m.IntN(unicode.MaxRune)))
		}
		tl := timeline.Timeline{
			Title: field(), Verdict: field(), Details: []string{field()}, Threads: []timeline.Thread{{field(), field(), field()}},
			Steps: []timeline.Step{{Op: field(), Object: field(), Where: field(), Func: field(), Value: field(), Outcome: field(), Stack: []string{field()}, Matters: true}},
			Cause: field(), Cycle: []timeline.Wait{{field(), field(), field(), field(), field(), field()}}, Footer: []string{field()}, Replay: field(),
			Races: []timeline.Race{{Address: field(), Accesses: [2]timeline.Access{{field(), field(), []string{field()}}}}},
		}
		o := timeline.Options{Width: 40 + m.IntN(80)}
		got := text(t, &tl, o)
		ok := func(r rune) bool { return r == '\n' || unicode.IsPrint(r) }
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !ok(r) }) {
			t.Fatalf("seed %d: unprintable text: %q", seed, got)
		}
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		for _, line := range lines[:len(lines)-1] {
			if n := timeline.Width(line); n > o.Width {
				t.Fatalf("seed %d: got %d cells, want at most %d: %q", seed, n, o.Width, line)
			}
		}
	}
}

// marks is mostly none: each mark comes once in eight times.
func (m maker) marks() timeline.Mark {
	var all timeline.Mark
	for bit := timeline.Mark(1); bit < 16; bit <<= 1 {
		if m.IntN(8) == 0 {
			all |= bit
		}
	}
	return all
}
