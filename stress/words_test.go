package stress_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/stress"
)

// A state says how a process ended.
type state string

func (s state) String() string { return string(s) }

func TestCauseOfDeath(t *testing.T) {
	for words, want := range map[string][2]string{
		"panic: boom\n\ngoroutine 7 [running]:\n":                    {"panic", "panic: boom"},
		"panic: boom [recovered, repanicked]\n\ngoroutine 7":         {"panic", "panic: boom"},
		"log line\nfatal error: concurrent map writes\n\ngoroutine":  {"fatal", "fatal error: concurrent map writes"},
		"fatal error: all goroutines are asleep - deadlock!\n\ngoro": {"deadlock", "fatal error: all goroutines are asleep - deadlock!"},
		"stress: unknown race\n":                                     {"", "the child gave no answer and ended with exit status 9: stress: unknown race"},
		"":                                                           {"", "the child gave no answer and ended with exit status 9: without a word"},
	} {
		kind, message := stress.Cause(words, state("exit status 9"))
		if kind != want[0] || message != want[1] {
			t.Errorf("%q: got %q: %q, want %q: %q", words, kind, message, want[0], want[1])
		}
	}
}

// raceLog is output of the race detector.
const raceLog = `==================
WARNING: DATA RACE
Write at 0x00c00012a018 by goroutine 9:
  runtime.mapassign_faststr()
      /usr/local/go/src/runtime/map_faststr.go:203 +0x0
  example.org/loom/weave.(*Loom).Add()
      /home/me/loom/weave/loom.go:31 +0x44
  example.org/loom/weave_test.TestAdd.func1()
      /home/me/loom/weave/loom_test.go:12 +0x30

Previous atomic read at 0x00c00012a018 by goroutine 8:
  example.org/loom/weave.(*Loom).Len()
      /home/me/loom/weave/loom.go:40 +0x44

Goroutine 9 (running) created at:
  example.org/loom/weave_test.TestAdd()
==================
==================
WARNING: DATA RACE
Read at 0x00c00012a020 by goroutine 9:
`

func TestSummaryOfARace(t *testing.T) {
	for log, want := range map[string]string{
		raceLog: "data race: write in weave.(*Loom).Add loom.go:31, not ordered with atomic read in weave.(*Loom).Len loom.go:40",
		"":      "",
		"==================\nWARNING: DATA RACE\nWrite at 0x00c00012a018 by goroutine 9:\n  runtime.racewrite()\n      a.go:1 +0\n\n": "data race: write in an unknown place",
	} {
		if got := stress.Summary(log); got != want {
			t.Errorf("%.60q: got %q, want %q", log, got, want)
		}
	}
}

func TestWhatGoroutinesWaitFor(t *testing.T) {
	for dump, want := range map[string]string{
		"goroutine 1 [running]:\nmain.main()\n\ngoroutine 7 [chan receive, 2 minutes]:\nx\n\ngoroutine 8 [sync.Mutex.Lock]:\n\ngoroutine 9 [chan receive]:\n": "2 in chan receive, 1 in sync.Mutex.Lock",
		"goroutine 1 [IO wait]:\n": "no goroutine waits",
	} {
		if got := stress.Waiting(dump); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFirstLeak(t *testing.T) {
	for report, want := range map[string]string{
		"found unexpected goroutines:\n[Goroutine 7 in state chan send, with x.y on top of the stack:\nx.y()\n Goroutine 8 in": "a goroutine was left behind: chan send, with x.y on top",
		"something else\nand more": "a goroutine was left behind: something else",
	} {
		if got := stress.FirstLeak(errors.New(report)); got != want || strings.Contains(got, "\n") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
