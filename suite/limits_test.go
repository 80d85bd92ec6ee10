package suite_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A process that says nothing for long is killed; that it goes on is no end of its turn.
func TestSilence(t *testing.T) {
	killed := runs(t, suite.WithSilence(suite.Config{Schedules: 1}, 100*time.Millisecond), "TestHangs")
	if want := "the process was killed: it said nothing for 420ms"; killed.ok || !strings.Contains(killed.out, want) {
		t.Errorf("got ok: %t\n%s\nwant %q", killed.ok, killed.out, want)
	}
	if got := runs(t, suite.Config{Schedules: 1}, "TestTough"); !got.ok || !strings.Contains(got.out, "1 concurrent, 1 schedule ") {
		t.Errorf("got ok: %t\n%s\nwant one schedule", got.ok, got.out)
	}
}

// A test that takes long may be silent for longer.
func TestSilenceOfSlowTests(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{0: 2 * time.Minute, time.Second: 136 * time.Second, time.Minute: 18 * time.Minute} {
		if got := suite.Silence(took); got != want {
			t.Errorf("%v a schedule: got %v, want %v", took, got, want)
		}
	}
}

// overWhenItHangs is cfg for a fake whose time is over as soon as it hangs.
func overWhenItHangs(t *testing.T, cfg suite.Config) suite.Config {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv(fakeLog, log)
	return overWhen(t, cfg, func() bool {
		text, _ := os.ReadFile(log) // which need not be there yet
		return strings.HasSuffix(string(text), hanging)
	})
}

// overWhen is cfg for a package whose time is over as soon as something is so.
func overWhen(t *testing.T, cfg suite.Config, so func() bool) suite.Config {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.Tick(5 * time.Millisecond); ctx.Err() == nil && !so(); <-tick {
		}
		cancel()
	}()
	t.Cleanup(func() { cancel(); <-done })
	return suite.WithOver(cfg, ctx)
}

// The time is over while a test runs, in the discovery run or when it is explored. Its
// goroutines are shown.
func TestTimeout(t *testing.T) {
	for _, name := range []string{"TestStuck", "TestHangs"} {
		got := runs(t, overWhenItHangs(t, suite.Config{Timeout: time.Hour}), "TestPlain", name)
		for _, want := range []string{
			"SIGQUIT: quit", "time.Sleep(", "--- FAIL: " + name + " (0.02s)\n    timed out after 1h0m0s\n",
			"FAIL\t" + here + "\t0.02s\t2 tests",
		} {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got.out)
			}
		}
		if got.ok {
			t.Errorf("%s: it went well", name)
		}
	}
}

// Of megabytes the beginning and the end are kept, and what is left out is said.
func TestLoud(t *testing.T) {
	got := runs(t, suite.Config{Verbose: true}, "TestLoud", "TestPlain")
	for _, want := range []string{"\nline 00000 ", "\nline 20479 ", "bytes left out ...\n", "--- PASS: TestPlain"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in %d bytes", want, len(got.out))
		}
	}
	if len(got.out) > 20<<20 {
		t.Errorf("got %d bytes", len(got.out))
	}
}

// A test that takes long in its first schedule leaves time for the others, and has not
// failed: the process that comes after it has nothing to do with it.
func TestFirstScheduleIsLong(t *testing.T) {
	for _, tests := range [][]string{{"TestStuck", "TestMany"}, {"TestMany", "TestStuck"}} {
		got := runs(t, suite.Config{Budget: 3 * time.Second, Schedules: 100}, tests...)
		if want := "2 tests, 1 concurrent, 100 schedules (100 distinct), 1 unknown (-v says why), 1 cut off in the first schedule\n"; !got.ok || !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
}

// The advice about more time gives such a test more of it, though it gets only a part.
func TestMoreForALongFirstSchedule(t *testing.T) {
	for left, want := range map[time.Duration]int{
		0: 2, time.Second: 2, 6 * time.Second: 2, 7 * time.Second: 6, 10 * time.Second: 6, 20 * time.Second: 3, 40 * time.Second: 2, time.Hour: 2,
	} {
		if got := suite.Times(left); got != want {
			t.Errorf("of %v: got %d times, want %d", left, got, want)
		}
	}
	got := runs(t, suite.Config{Budget: 10 * time.Second}, "TestStuck", "TestPlain")
	if want := "jacquard: there was not enough time to run every test once: try -budget 1m0s\n"; !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
}

// If much time is left at the end, such a test gets it, and is reported once.
func TestFirstScheduleIsTriedAgain(t *testing.T) {
	t.Setenv(fakeLog, filepath.Join(t.TempDir(), "log"))
	got := runs(t, suite.Config{Budget: 40 * time.Second, Schedules: 100, Verbose: true}, "TestStuckOnce", "TestMany")
	if want := "2 tests, 2 concurrent, 200 schedules (200 distinct)\n"; !got.ok || !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
	for _, line := range []string{"=== RUN   TestStuckOnce\n", "it begins\n", "--- PASS: TestStuckOnce "} {
		if n := strings.Count(got.out, line); n != 1 {
			t.Errorf("got %q %d times, want it once in\n%s", line, n, got.out)
		}
	}
}

// Of a test that was cut off nobody says that it has failed, nor of its subtests.
func TestSubtestsOfWhatIsCutOff(t *testing.T) {
	got := runs(t, suite.Config{Budget: time.Second, Verbose: true}, "TestStuckBehind")
	want := "    unknown: its first schedule did not end in its share of the time\n    by then had failed: TestStuckBehind/a\n--- SKIP: TestStuckBehind (0.02s)\n"
	if !got.ok || !strings.Contains(got.out, want) || strings.Contains(got.out, "--- FAIL") {
		t.Errorf("got ok = %t\n%s\nwant %q and nothing that fails", got.ok, got.out, want)
	}
}

// Of a test that has failed in its first schedule nobody says that it did not come to its end, and
// it is explored if there is time.
func TestFailedAndCutOff(t *testing.T) {
	whole := runs(t, suite.Config{Budget: 12 * time.Second}, "TestStuckAgain")
	if want := "1 test, 1 concurrent, 3 schedules (100 distinct)\n"; whole.ok || !strings.Contains(whole.out, want) || !strings.Contains(whole.out, "--- FAIL: TestStuckAgain ") {
		t.Errorf("got ok = %t\n%s\nwant that it fails, and %q", whole.ok, whole.out, want)
	}
	var at []string
	cfg := suite.Config{Budget: time.Second, Verbose: true, Found: func(line string) { at = append(at, line) }}
	got := runs(t, cfg, "TestStuckAgain")
	want := "    violated: deadlock\n      it can never go on\n\n    seen once, in schedule 1; there was no time to run that again: its share of the budget was over\n--- FAIL: TestStuckAgain "
	if got.ok || !strings.Contains(got.out, want) {
		t.Errorf("got ok = %t\n%s\nwant %q", got.ok, got.out, want)
	}
	if want := []string{here + ".TestStuckAgain fails: it can never go on (deadlock, in its first schedule; there was no time to try that again)"}; !slices.Equal(at, want) {
		t.Errorf("at once: got %q, want %q", at, want)
	}
}

// Nothing follows from a first schedule that may have failed for what is outside.
func TestDoubtedAndCutOff(t *testing.T) {
	got := runs(t, suite.Config{Budget: time.Second, Verbose: true}, "TestWaits")
	want := "    unknown: schedule 1 failed (check: too late), but it may pass without control, and its share of the budget was over; not explored: the budget was over\n--- SKIP: TestWaits "
	if !got.ok || !strings.Contains(got.out, want) {
		t.Errorf("got ok = %t\n%s\nwant %q", got.ok, got.out, want)
	}
}

// What a process has told is known when the budget ends it: how far it has come, and
// what it has found, unless that did not come again.
func TestBudgetEndsWhatHangs(t *testing.T) {
	var found []string
	var mu sync.Mutex
	cfg := suite.Config{Verbose: true, Workers: 4, Budget: 2 * time.Second, Found: func(line string) {
		mu.Lock()
		found = append(found, line)
		mu.Unlock()
	}}
	got := runs(t, cfg, "TestDoubts", "TestFinds", "TestFollows", "TestTells")
	for _, want := range []string{
		"    unknown: schedule 3 failed (timing: -50 left), but it did not fail again at once, and the budget was over\n--- PASS: TestDoubts ",
		"    violated: check\n      -50 left\n\n    seen once, in schedule 3; there was no time to run that again: the budget was over\n--- FAIL: TestFinds ",
		"    violated: check\n      -50 left\n\n    2 preemptions in 9 steps, besides those of goroutines that had run for long, found by pos at schedule 3; seed 1\n    the budget was over before it was reduced, and tried again in a process of its own\n    replay: jacquard replay " + here + ".TestFollows jq2-fake\n--- FAIL: TestFollows ",
		"    5 schedules, 4 distinct by happens-before, 7 points\n--- PASS: TestTells ",
		" (the budget of 2s was over)\n",
	} {
		if got.ok || !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	slices.Sort(found)
	if want := here + ".TestFinds fails: -50 left (check, found by pos at schedule 3; it is being reduced)"; len(found) != 3 || found[1] != want {
		t.Errorf("got %q, want three, and second %q", found, want)
	}
}

// So it is with what was found beside the first failure, and with a failure that is told only when it
// was reduced. What was not confirmed by then is told as such, unless it did not come again.
func TestBudgetEndsWhatFindsMore(t *testing.T) {
	var found []string
	var mu sync.Mutex
	cfg := suite.Config{Verbose: true, Workers: 4, Budget: 2 * time.Second, Found: func(line string) {
		mu.Lock()
		found = append(found, strings.TrimPrefix(line, here+"."))
		mu.Unlock()
	}}
	got := runs(t, cfg, "TestBeside", "TestInstead", "TestRefutes", "TestWhole")
	const first, other = "timing\n      -50 left\n", "panic\n      panic: weft\n"
	for _, want := range []string{
		"    violated: " + first,
		"\n\n    another failure, not confirmed yet: " + other + "    found by pos at schedule 1,007\n    replay: jacquard replay " + here + ".TestBeside jq2-other\n--- FAIL: TestBeside ",
		"    violated: " + other,
		"    the budget was over before all that it hides was looked for\n",
		"\n\n    another failure: " + first + "    found by pos at schedule 3\n    replay: jacquard replay " + here + ".TestInstead jq2-fake\n--- FAIL: TestInstead ",
		"    its steps\n\n    the budget was over before all that it hides was looked for\n--- FAIL: TestRefutes ",
		"    its steps\n\n    the budget was over before all that it hides was looked for\n--- FAIL: TestWhole ",
	} {
		if got.ok || !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if n := strings.Count(got.out, "another failure"); n != 2 {
		t.Errorf("got %d other failures, want 2", n)
	}
	slices.Sort(found)
	want := []string{
		"TestBeside fails: -50 left (timing, found by pos at schedule 3; it is being reduced)",
		"TestInstead fails: -50 left (timing, found by pos at schedule 3; it is being reduced)",
		"TestInstead fails: panic: weft (panic, found by pos at schedule 1,007, beside the first)",
		"TestRefutes fails: -50 left (timing, found by pos at schedule 3; it is being reduced)",
		"TestWhole fails: -50 left (timing, found by pos at schedule 3)",
	}
	if !slices.Equal(found, want) {
		t.Errorf("got %q, want %q", found, want)
	}
}

// finds is how two failures are told, one behind the other, before there is no more time.
func (f *fake) finds(test string) {
	found := protocol.Event{Test: test, Found: true, Kind: "timing", Message: "-50 left", Strategy: "pos", Schedules: 3, Preemptions: 2, Steps: 9, Card: "jq2-fake"}
	whole := found
	whole.Reduced, whole.Verdict, whole.Concurrent, whole.Report = true, "violated", true, "its steps\n"
	if test == "TestDoubts" {
		found.Card = ""
		f.send(found)
		found.Doubt = "it did not fail again at once"
		f.send(found)
		f.hang()
	}
	if test == "TestWhole" {
		f.send(whole)
		f.hang()
	}
	if test == "TestRefutes" {
		f.send(protocol.Event{Test: test, Found: true, Kind: "check", Message: "no port", Schedules: 2, Doubt: "others may have it"})
	}
	f.send(found)
	if test == "TestRefutes" {
		f.send(whole)
	}
	found.Kind, found.Message, found.Schedules, found.Card = "panic", "panic: weft", 1007, "jq2-other"
	found.Another, found.Unconfirmed = true, true
	f.send(found)
	switch test {
	case "TestInstead":
		found.Unconfirmed, found.Instead = false, true
		f.send(found)
	case "TestRefutes":
		f.send(protocol.Event{Test: test, Found: true, Another: true, Unconfirmed: true})
	}
	f.hang()
}

// A failure that was announced is told in the end, though its process was still reducing it
// when there were no turns left, and had to go.
func TestFoundAndDropped(t *testing.T) {
	got := runs(t, suite.Config{Verbose: true, Budget: 2 * time.Second, Schedules: 1 << 30}, "TestReduces", "TestMany")
	if want := "replay: jacquard replay " + here + ".TestReduces jq2-fake\n--- FAIL: TestReduces "; got.ok || !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
}

// The end of the context is the end of all processes, and of their files.
func TestContextEnds(t *testing.T) {
	t.Setenv(fakeTests, names("TestStuck"))
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	var out bytes.Buffer
	cfg := suite.Config{Cache: t.TempDir(), Out: &out, Run: "^Test(Stuck|Silence)", Progress: func(line string) {
		if strings.Contains(line, "TestStuck") {
			cancel(why)
		}
	}}
	if ok, err := suite.Run(ctx, suite.WithBinary(cfg, binary)); ok || !errors.Is(err, why) {
		t.Errorf("got %t, %v, want %v", ok, err, why)
	}
	for _, want := range []string{"jacquard: not begun: TestSilence, TestSilenceOfSlowTests\n", "1 cut off in the first schedule, 2 not begun (interrupted)\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	empty(t, temp)
}

// A schedule that failed, and did not fail again in a process of its own, is told of,
// though the search has gone on behind it and found nothing. That search claims nothing.
func TestFailedOnce(t *testing.T) {
	got := runs(t, suite.Config{Schedules: 200}, "TestOnce")
	if want := "1 failed once and not again (-v says why)"; !got.ok || !strings.Contains(got.out, want) {
		t.Errorf("got ok = %t, want %q\n%s%s", got.ok, want, got.out, got.errs)
	}
	got = runs(t, suite.Config{Schedules: 200, Verbose: true}, "TestOnce")
	if want := "200 schedules, 200 distinct by happens-before, 7 points; once: -50 left, but not by the same schedule in a process of its own; cannot be exhausted: a schedule failed and did not fail again"; !strings.Contains(got.out, want) {
		t.Errorf("got no %q\n%s%s", want, got.out, got.errs)
	}
}

// Whoever asks is told what has come of each test of a package.
func TestDone(t *testing.T) {
	var got []suite.Outcome
	runs(t, suite.Config{Schedules: 100, Done: func(o suite.Outcome) { got = append(got, o) }}, "TestPlain", "TestSkipped", "TestRacy", "TestCrash")
	if len(got) != 1 || got[0].Package != here || got[0].Summary == "" || got[0].Trouble != "" {
		t.Fatalf("got %+v, want one package and no trouble but its tests'", got)
	}
	words := map[string]string{}
	for _, e := range got[0].Tests {
		words[e.Name] = e.Word
		if skipped := e.Word == "SKIP"; skipped != (e.Why == "not today") {
			t.Errorf("%s: got %s, %q, want what the test said when it was skipped", e.Name, e.Word, e.Why)
		}
		if failed := e.Word == "FAIL"; failed != (e.Finding.Verdict == "violated") || failed && e.Finding.Signature == "" {
			t.Errorf("%s: got %s, %+v", e.Name, e.Word, e.Finding)
		}
	}
	if want := map[string]string{"TestPlain": "PASS", "TestSkipped": "SKIP", "TestRacy": "FAIL", "TestCrash": "FAIL"}; !maps.Equal(words, want) {
		t.Errorf("got %v, want %v", words, want)
	}
	got = nil
	t.Setenv(fakeMain, "exit after")
	if runs(t, suite.Config{Done: func(o suite.Outcome) { got = append(got, o) }}, "TestPlain"); len(got) != 1 || !strings.Contains(got[0].Trouble, "exit status 5") {
		t.Errorf("got %+v, want the process's trouble", got)
	}
}
