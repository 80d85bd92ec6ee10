package suite_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
)

// A test that ends the process, or leaves it unusable, fails; the others run.
func TestProcessEnds(t *testing.T) {
	runs(t, suite.Config{}, "TestExits", "TestSpoils", "TestPlain").want(t, false, `TestMain begins
goodbye
--- FAIL: TestExits (0.02s)
    the process ended in it: exit status 3
TestMain begins
--- FAIL: TestSpoils (0.02s)
    fake_test.go:1: fail
    violated: panic
      weft
TestMain begins
FAIL
FAIL	`+here+`	0.02s	3 tests
FAIL
`)
	died := runs(t, suite.Config{Verbose: true}, "TestCrash", "TestDies")
	for _, want := range []string{
		"panic: weft", "    the process ended in it: exit status 2\n--- FAIL: TestCrash (0.02s)\n",
		"    the process ended after 100 schedules: exit status 2\n",
		"\n    fatal error: weft\n--- FAIL: TestDies (0.02s)\n", "FAIL\t" + here + "\t0.02s\t2 tests, 1 concurrent, ",
	} {
		if !strings.Contains(died.out, want) {
			t.Errorf("no %q in\n%s", want, died.out)
		}
	}
}

// A fault of Jacquard is no failure of the test in whose process it occurs, and the other
// tests are reported.
func TestGivesUp(t *testing.T) {
	for words, why := range map[string]string{
		"jacquard: no room is left": "no room is left",
		"panic: weft\n\ngoroutine 1 [running]:\ninternal/jacquard/internal/engine.(*twins).add(0xc0)\n\tinternal/jacquard/internal/engine/twins.go:28 +0x2ea":           "panic: weft",
		"panic: weft [recovered, repanicked]\n[signal SIGSEGV]\n\ngoroutine 1 [running]:\npanic({0x1, 0x2})\n\truntime/panic.go:860\ninternal/jacquard/a.b()\n\ta.go:1": "panic: weft [recovered, repanicked]",
	} {
		t.Setenv(fakeWords, words)
		got := runs(t, suite.Config{Verbose: true}, "TestDies", "TestDiesFirst", "TestPlain")
		for _, told := range []string{"PASS: TestDies", "SKIP: TestDiesFirst"} { // the first has passed once
			if want := "unknown: Jacquard could not go on: " + why + "\n--- " + told + " "; !got.ok || !strings.Contains(got.out, want) {
				t.Errorf("got ok: %t\n%s\nwant %q", got.ok, got.out, want)
			}
		}
		if !strings.Contains(got.out, "--- PASS: TestPlain") {
			t.Errorf("TestPlain was not told of:\n%s", got.out)
		}
	}
	t.Setenv(fakeWords, "panic: weft\n\ngoroutine 1 [running]:\nexample.com/a.b()\n\ta.go:1\ninternal/jacquard/a.b()\n\ta.go:1")
	if got := runs(t, suite.Config{}, "TestDies"); got.ok {
		t.Errorf("a panic of the test's own was not told:\n%s", got.out)
	}
}

// The output of a test whose process dies is not lost.
func TestLastWords(t *testing.T) {
	runs(t, suite.Config{}, "TestKilled").want(t, false, `TestMain begins
its last words
--- FAIL: TestKilled (0.02s)
    the process ended in it: exit status 9
TestMain begins
FAIL
FAIL	`+here+`	0.02s	1 test
FAIL
`)
}

// A test that has closed the standard output is reported like others.
func TestMute(t *testing.T) {
	runs(t, suite.Config{Verbose: true}, "TestMute").want(t, true, `TestMain begins
=== RUN   TestMute
--- PASS: TestMute (0.02s)
PASS
ok  	`+here+`	0.02s	1 test
`)
}

// The tests after one that has ended the process need another process, which TestMain may
// refuse. That is no failure, unless it is one without control too.
func TestMainFailsTheSecondTime(t *testing.T) {
	t.Setenv(fakeMain, "exit before others")
	cfg := suite.Config{Run: "^Test(Exits|GivenUp|AllIsWell)$", Verbose: true}
	const refused = "process that was to run the tests after Test%s ended before a test began (TestMain or an init function): exit status 4: TestMain begins"
	for _, c := range []struct {
		first, mended string
		ok            bool
		want          string
	}{
		{"TestExits", "", false, "    the process ended in it: exit status 3\n--- FAIL: TestExits"},
		{"TestExits", "", false, "    unknown: not run: the " + fmt.Sprintf(refused, "Exits") + "\n--- SKIP: TestAllIsWell"},
		{"TestGivenUp", "yes", true, "    unknown: not run: the " + fmt.Sprintf(refused, "GivenUp") + "\n--- SKIP: TestAllIsWell"},
		{"TestGivenUp", "yes", true, "2 tests, 2 unknown"},
		{"TestGivenUp", "", false, "no test failed, but the process did (TestMain?): run whole and without control: exit status 1\nFAIL\n"},
	} {
		t.Setenv(fakeMended, c.mended)
		if got := runs(t, cfg, c.first); got.ok != c.ok || !strings.Contains(got.out, c.want) {
			t.Errorf("%s: got ok: %t\n%s%s\nwant %t and %q", c.first, got.ok, got.out, got.errs, c.ok, c.want)
		}
	}
}

// If TestMain refuses the process that explores a test, the test is unknown. If it refuses
// only a second process beside the first, processes run one at a time.
func TestMainWantsToBeAlone(t *testing.T) {
	t.Setenv(fakeMain, "exit before exploring")
	got := runs(t, suite.Config{Verbose: true}, "TestMany")
	if want := "unknown: not explored: the process that was to do so ended before a test began (TestMain or an init function): exit status 4: the port is taken\n"; !got.ok || !strings.Contains(got.out, want) {
		t.Errorf("got ok: %t\n%s\nwant %q", got.ok, got.out, want)
	}
	t.Setenv(fakeMain, "exit beside others")
	for _, apart := range []bool{false, true} {
		tests := []string{"TestMany1", "TestMany2", "TestMany3"}
		if apart { // TestMain changes files, so processes run one at a time from the start
			tests[2] = "TestApart"
		}
		got, log := logged(t, suite.Config{Workers: 2, Verbose: true}, tests...)
		if want := "3 tests, 3 concurrent, 3,000 schedules (3,000 distinct)\n"; !got.ok || !strings.Contains(got.out, want) {
			t.Errorf("got ok: %t\n%s\nwant %q", got.ok, got.out, want)
		}
		if refused := strings.Contains(log, "it is not alone"); refused == apart {
			t.Errorf("apart: %t; got %q", apart, log)
		}
	}
}

func TestMainFails(t *testing.T) {
	t.Setenv(fakeMain, "exit before")
	runs(t, suite.Config{}, "TestPlain").want(t, false, `TestMain begins
jacquard: the process ended before any test began (TestMain or an init function): exit status 4
FAIL
FAIL	`+here+`	0.02s
FAIL
`)
	t.Setenv(fakeMain, "exit after")
	runs(t, suite.Config{}, "TestPlain").want(t, false, `TestMain begins
jacquard: no test failed, but the process did (TestMain?): exit status 5
FAIL
FAIL	`+here+`	0.02s	1 test
FAIL
`)
	got := runs(t, suite.Config{Verbose: true}, "TestRacy")
	if !strings.Contains(got.out, "; not explored: the process that ran it first failed\n") || strings.Contains(got.out, "no time") {
		t.Errorf("got %s", got.out)
	}
}

// TestMain may require that all tests have run: a failure of TestMain in a process that ran
// only some of them is no verdict.
func TestMainWantsAll(t *testing.T) {
	for _, c := range []struct {
		main, tests, want string
		ok                bool
	}{
		{"exit after some", "TestGivenUp,TestPlain", "ok  \t", true},
		{"exit after some", "TestPlain,TestGivenUp", "ok  \t", true},
		{"exit after", "TestGivenUp,TestPlain", "no test failed, but the process did (TestMain?): run whole and without control: exit status 5\nFAIL\n", false},
		{"exit after", "TestPlain,TestGivenUp", "no test failed, but the process did (TestMain?): run whole and without control: exit status 5\nFAIL\n", false},
		{"hang after whole", "TestGivenUp,TestPlain", "ok  \t", true},
	} {
		t.Setenv(fakeMain, c.main)
		got := runs(t, suite.Config{Run: "^Test(GivenUp|Plain)$", Budget: 3 * time.Second}, strings.Split(c.tests, ",")...)
		if got.ok != c.ok || !strings.Contains(got.out, c.want) {
			t.Errorf("%s with %s: got %v and\n%s%s\nwant %v and %q", c.main, c.tests, got.ok, got.out, got.errs, c.ok, c.want)
		}
		if told := strings.Contains(got.errs, "exit status 6, and whether go test fails is not known"); told != strings.HasPrefix(c.main, "hang") {
			t.Errorf("%s with %s: got %q", c.main, c.tests, got.errs)
		}
	}
}

// TestMain may have something to clean up, whether its test has a result or only a
// checkpoint to continue from.
func TestMainEnds(t *testing.T) {
	t.Setenv(fakeMain, "clean up")
	var many []string
	for i := range mostWaiting + 1 {
		many = append(many, fmt.Sprintf("TestMany%02d", i))
	}
	for _, c := range []struct {
		cfg   suite.Config
		tests []string
		ends  int
	}{
		{suite.Config{Schedules: 200}, []string{"TestMany"}, 2}, // of the discovery run, and of the test
		{suite.Config{Workers: 1}, []string{"TestRacy"}, 2},
		{suite.Config{Workers: 1, FailFast: true}, []string{"TestMany", "TestRacy"}, 3},
		{suite.Config{Workers: 1, Schedules: 200}, many, 1 + len(many) + 1},
	} {
		if _, log := logged(t, c.cfg, c.tests...); strings.Count(log, "TestMain ends\n") != c.ends {
			t.Errorf("got\n%s\nwant %d ends of TestMain", log, c.ends)
		}
	}
	t.Setenv(fakeMain, "hang after exploring")
	got := runs(t, suite.WithLeaving(suite.Config{Schedules: 100}, 200*time.Millisecond), "TestMany")
	if want := "1 concurrent, 100 schedules"; !got.ok || !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
}

// mostWaiting is how many processes may wait for a turn; see the code under test.
const mostWaiting = 16

// A failure that the test's process could not repeat in a second process beside itself is
// repeated when that process has ended, whenever it is reported.
func TestTriedAgainInTheEnd(t *testing.T) {
	got := runs(t, suite.Config{Workers: 1, FailFast: true}, "TestRefused", "TestRacy")
	if want := "--- FAIL: TestRefused (0.02s)\n    account_test.go:9: -50 left\n"; got.ok || !strings.Contains(got.out, want) {
		t.Errorf("got ok: %t\n%s\nwant %q", got.ok, got.out, want)
	}
}

// A process that dies when its exploration is to end has a test to blame.
func TestDiesLast(t *testing.T) {
	runs(t, suite.Config{Workers: 1, FailFast: true}, "TestDiesLast", "TestRacy").want(t, false, `TestMain begins
--- FAIL: TestRacy (0.02s)
    account_test.go:9: -50 left
    violated: check
      -50 left

    replay: jacquard replay `+here+`.TestRacy jq2-fake
--- FAIL: TestDiesLast (0.02s)
    the process ended after 100 schedules: exit status 2
    TestMain begins
    fatal error: selvedge
FAIL
FAIL	`+here+`	0.02s	2 tests, 2 concurrent, 4 schedules (101 distinct)
FAIL
`)
}

// The results of a test stay if its process must end without being able to leave a
// checkpoint.
func TestGoesForGood(t *testing.T) {
	tests := []string{"TestEndsBadly"}
	for i := range 20 {
		tests = append(tests, fmt.Sprintf("TestMany%02d", i))
	}
	got, log := logged(t, suite.Config{Schedules: 300, Workers: 1}, tests...)
	if n := strings.Count(log, "TestEndsBadly from "); n != 1 {
		t.Errorf("it was explored %d times, want once:\n%s", n, log)
	}
	if want := "--- FAIL: TestEndsBadly (0.02s)\n    account_test.go:9: -50 left\n"; got.ok || !strings.Contains(got.out, want) {
		t.Errorf("no %q in\n%s", want, got.out)
	}
}

// If the time is over, the output says so, in whatever stage that happens.
func TestTimeoutWithoutTest(t *testing.T) {
	cards := cards(t, map[string]string{"TestMany": "jq2-hangs"})
	for _, c := range []struct {
		main, cards, want string
		timeout           time.Duration
	}{
		{"hang before", "", "jacquard: the process ended before any test began (TestMain or an init function): timed out after 1h0m0s\nFAIL\n", time.Hour},
		{"hang after", "", "jacquard: no test failed, but the process did (TestMain?): timed out after 1h0m0s\nFAIL\n", time.Hour},
		{"", cards, "jacquard: timed out after 1h0m0s\nFAIL\n", time.Hour},
		{"", "", "jacquard: timed out after 1ns\nFAIL\n", 1},
	} {
		t.Setenv(fakeMain, c.main)
		cfg := suite.Config{Timeout: c.timeout, Cards: c.cards}
		if c.timeout > 1 {
			cfg = overWhenItHangs(t, cfg)
		}
		got := runs(t, cfg, "TestMany")
		if got.ok || !strings.Contains(got.out, c.want) {
			t.Errorf("got ok: %t\n%s\nwant %q", got.ok, got.out, c.want)
		}
	}
}

// The budget ends a test that would run for ever.
func TestBudgetEnds(t *testing.T) {
	t.Setenv(fakeTests, names("TestMany"))
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context()) // a deadline would end it, too
	defer cancel()
	defer time.AfterFunc(time.Minute, cancel).Stop()
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 1 << 40, Budget: 300 * time.Millisecond}
	if ok, err := suite.Run(ctx, suite.WithBinary(cfg, binary)); !ok || err != nil {
		t.Errorf("got %t, %v", ok, err)
	}
}
