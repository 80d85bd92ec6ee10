package explore_test

import (
	"bytes"
	"encoding/json"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// everyValue does one of each operation whose value a report can show.
func everyValue(t *explore.T) {
	var i atomic.Int64
	var u atomic.Uint32
	var b atomic.Bool
	var p atomic.Pointer[int]
	var plain int32
	var mu sync.Mutex
	names, flags, none := make(chan string, 1), make(chan bool, 2), make(chan struct{})
	t.Go("other", func() {})
	i.Store(-3)
	i.Add(5)
	i.Swap(7)
	i.CompareAndSwap(7, 8)
	i.CompareAndSwap(7, 9)
	i.Load()
	u.Add(^uint32(0))
	u.And(0xff)
	b.Store(true)
	b.Load()
	p.Store(new(int))
	p.CompareAndSwap(nil, new(int))
	atomic.AddInt32(&plain, 4)
	mu.Lock()
	mu.TryLock()
	mu.Unlock()
	names <- "weft"
	select {
	case names <- "warp":
	default:
	}
	<-names
	select {
	case flags <- true:
	case <-none:
	}
	<-flags
	close(flags)
	<-flags
	t.Errorf("done")
	t.Wait()
}

// Values are shown beside the operations, under their names in the source.
func TestValuesShown(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	want := []string{
		"Store i 0 → -3", "Add(5) i = 2", "Swap(7) i = 2", "CompareAndSwap(7→8) i = true", "CompareAndSwap(7→9) i = false: it is 8",
		"Load i = 8", "Add(-1) u = 4294967295", "And u 4294967295 → 255", "Store b false → true", "Load b = true",
		"Store p nil → ptr#1", "CompareAndSwap(nil→ptr#2) p = false: it is ptr#1", "Add(4) plain = 4",
		"Lock mu", "TryLock mu = false", "Unlock mu", `send names ← "weft"`, `try send names ← "warp" (not sent: full)`,
		`receive names = "weft"`, "select: send flags ← true", "receive flags = true", "close flags", "receive flags (closed)", "log done",
	}
	r := run(t, small(t.Name()), everyValue)
	if r.Failure == nil || r.Failure.Kind != explore.KindCheck {
		t.Fatalf("got %s, want a failed check", r.Summary())
	}
	var got []string
	for _, s := range r.Failure.Timeline.Steps {
		if line := stepLine(s); s.Thread == 0 && len(got) < len(want) && !strings.HasPrefix(line, "go ") {
			got = append(got, line)
		}
	}
	for len(got) > 0 && got[0] != want[0] {
		got = got[1:]
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want[:len(got)], "\n"); a != b || len(got) < len(want)-2 {
		t.Errorf("got\n%s\nwant\n%s", a, strings.Join(want, "\n"))
	}
}

func stepLine(s timeline.Step) string {
	line := strings.Join(strings.Fields(s.Op+" "+s.Object+" "+s.Value), " ")
	if s.Outcome != "" {
		line += " (" + s.Outcome + ")"
	}
	return line
}

// hostile has a name, a value and a message that try to be something else: terminal
// commands, markup, ten megabytes.
func hostile(t *explore.T) {
	const attack = "\x1b]0;owned\a</script><img src=x onerror=alert(1)>界\u202e"
	c := make(chan string, 1)
	t.Go("sender\x1b[2J"+attack, func() { c <- attack + strings.Repeat("x", 10<<20) })
	t.Go("receiver", func() { t.Errorf("got %s", <-c) })
	t.Wait()
}

func TestHostileValues(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), hostile)
	if r.Failure == nil {
		t.Fatalf("got %s, want a failed check", r.Summary())
	}
	values := 0
	for _, s := range r.Failure.Timeline.Steps {
		if strings.HasPrefix(s.Value, "← ") || strings.HasPrefix(s.Value, "= ") {
			values++
			if len(s.Value) > 200 {
				t.Errorf("got a value of %d bytes, want a short one", len(s.Value))
			}
		}
	}
	if values < 2 {
		t.Errorf("got %d values, want the sent and the received one", values)
	}
	tl := *r.Failure.Timeline
	tl.Details = nil // the message itself is not shortened
	var text, page, raw bytes.Buffer
	for _, err := range []error{timeline.Text(&text, &tl, timeline.Options{}), timeline.HTML(&page, &tl), timeline.JSON(&raw, &tl)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if s := text.String(); !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
		t.Errorf("got %q, want printable text", s[:min(len(s), 2000)])
	}
	if strings.Contains(page.String(), "<img") || !json.Valid(raw.Bytes()) {
		t.Error("got markup of the attack, or invalid JSON")
	}
}

// A recorded execution may be about to operate on any address.
func TestReadsAnything(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	wild := uintptr(0xffff_fff0)
	for name, do := range map[string]func(){
		"send to nil":  func() { trySend(nil) },
		"atomic":       func() { atomic.AddInt64((*int64)(*(*unsafe.Pointer)(unsafe.Pointer(&wild))), 1) },
		"signal":       func() { (*sync.Cond)(*(*unsafe.Pointer)(unsafe.Pointer(&wild))).Signal() },
		"lock":         func() { (*sync.Mutex)(*(*unsafe.Pointer)(unsafe.Pointer(&wild))).Lock() },
		"group":        func() { (*sync.WaitGroup)(*(*unsafe.Pointer)(unsafe.Pointer(&wild))).Done() },
		"nil receiver": func() { (*atomic.Pointer[int])(nil).Load() },
	} {
		r := run(t, small(name), func(t *explore.T) {
			var n atomic.Uint64
			n.CompareAndSwap(uint64(wild), uint64(wild)) // these operands are where a send has its own
			t.Go("other", func() {})
			func() {
				defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
				defer func() { _ = recover() }() // only the report matters
				do()
			}()
			t.Errorf("done")
		})
		if r.Failure == nil || r.Failure.Message != "done" {
			t.Errorf("%s: got %s, want the body's own failure", name, r.Summary())
		}
	}
}

func trySend(to chan int) {
	select {
	case to <- 1:
	default:
	}
}
