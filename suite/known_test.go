package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
)

// logged runs a package and returns its turns and its cards.
func logged(t *testing.T, cfg suite.Config, tests ...string) (said, string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv(fakeLog, log)
	s := runs(t, cfg, tests...)
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return s, string(text)
}

// A schedule that failed is run first the next time, and its failure is reported without exploring.
func TestKnownFailure(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 100, Workers: 1}
	if _, log := logged(t, cfg, "TestMany", "TestRacy"); log != "TestMany from 0\nTestRacy from 0\n" {
		t.Errorf("got\n%s", log)
	}
	again, log := logged(t, cfg, "TestMany", "TestRacy")
	again.want(t, false, `TestMain begins
--- FAIL: TestRacy (0.02s)
    account_test.go:9: -50 left
    the schedule that failed before fails again
    violated: check
      -50 left

    replay: jacquard replay `+here+`.TestRacy jq2-fake
FAIL
FAIL	`+here+`	0.02s	2 tests, 2 concurrent, 101 schedules (101 distinct)
FAIL
`)
	if log != "TestRacy by jq2-fake\n" {
		t.Errorf("got\n%s", log)
	}
	cfg.Fresh = true
	if _, log := logged(t, cfg, "TestRacy"); log != "TestRacy from 0\n" {
		t.Errorf("afresh: got\n%s", log)
	}
	cfg.Fresh, cfg.FailFast = false, true
	if _, log := logged(t, cfg, "TestFew", "TestRacy"); log != "TestRacy by jq2-fake\n" {
		t.Errorf("failing fast: got\n%s", log)
	}
}

// With -failfast, no other earlier failure is run after the first failure.
func TestKnownFailuresFailFast(t *testing.T) {
	cfg := suite.Config{Workers: 1, FailFast: true, Cards: cards(t, map[string]string{"TestRacy": "jq2-fake", "TestMany": "jq2-fake"})}
	if _, log := logged(t, cfg, "TestRacy", "TestMany"); log != "TestRacy by jq2-fake\n" {
		t.Errorf("got\n%s", log)
	}
}

// cards returns a folder with cards of tests, by the part of their file names after the
// package's.
func cards(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, strings.ReplaceAll(here, "/", "_")+"."+name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A schedule that holds now is reported so, once, and exploring continues. It is not
// run again as long as the program stays the same.
func TestKnownFailureHolds(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 100, Workers: 1, Cards: cards(t, map[string]string{"TestMany": "# mended\njq2-gone\n"})}
	first, log := logged(t, cfg, "TestMany")
	first.want(t, true, `--- PASS: TestMany (0.02s)
    the schedule that failed before holds now
ok  	`+here+`	0.02s	1 test, 1 concurrent, 100 schedules (100 distinct)
`)
	if want := "TestMany by jq2-gone\nTestMany from 0\n"; log != want {
		t.Errorf("got\n%s\nwant\n%s", log, want)
	}
	again, log := logged(t, cfg, "TestMany")
	again.want(t, true, "ok  \t"+here+"\t0.02s\t1 test, 1 concurrent, 100 schedules (100 distinct)\n")
	if log != "" {
		t.Errorf("got\n%s", log)
	}
}

// In another program a schedule that held before is run again, and with -v the output says
// that it holds.
func TestKnownFailureHeldBefore(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 100}
	runs(t, cfg, "TestRacy")
	t.Setenv(fakeMended, "yes")
	cfg.Seed = 2 // as if it were another program
	if got := runs(t, cfg, "TestRacy"); !got.ok || !strings.Contains(got.out, "holds now (check: -50 left)\n") {
		t.Errorf("got\n%s", got.out)
	}
	for seed, verbose := range []bool{false, true} {
		cfg.Seed, cfg.Verbose = uint64(3+seed), verbose
		got, log := logged(t, cfg, "TestRacy")
		if !strings.HasPrefix(log, "TestRacy by jq2-fake\n") || strings.Contains(got.out, "holds now") != verbose {
			t.Errorf("verbose: %t: got %s\n%s", verbose, log, got.out)
		}
	}
}

// Whatever one card leads to, the others are run, and the test is explored. The number of
// cards, and the time for each, are bounded.
func TestKnownFailuresThatCannotBeFollowed(t *testing.T) {
	texts := map[string]string{
		"TestMany.1": "jq2-lost", "TestMany.2": "jq2-dies", "TestMany.3": "jq2-hangs", "TestMany.4": "", "TestMany.5": "two\ncards",
		"TestMany.6":     strings.Repeat("jq2", 1<<20),
		"TestManyOthers": "jq2-fake",
	}
	for i := range 10 {
		texts[fmt.Sprint("TestMany.9", i)] = fmt.Sprint("jq2-gone", i)
	}
	cfg := suite.WithKnownTime(suite.Config{Schedules: 100, Workers: 1, Verbose: true, Cards: cards(t, texts)}, 4*time.Second)
	got, log := logged(t, cfg, "TestMany")
	for _, want := range []string{
		"TestMany.4 cannot be followed: got an empty file, want a card\n", "TestMany.5 cannot be followed: got two lines, want one card\n",
		"TestMany.6 cannot be followed: got more than 1,048,576 bytes, want one card\n",
		"cannot be followed: first divergence at decision 1 of 2\n", "the card: exit status 2", "cannot be followed: it said nothing for 4s\n",
		"    the schedule that failed before holds now\n    the schedule that failed before holds now\n--- PASS: TestMany",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if want := "TestMany by jq2-lost\nTestMany by jq2-dies\nTestMany by jq2-hangs\nhangs\nTestMany by jq2-gone0\nTestMany by jq2-gone1\nTestMany from 0\n"; !got.ok || log != want {
		t.Errorf("got ok: %t\n%s\nwant\n%s", got.ok, log, want)
	}
}

// A card that now fails by another schedule is replaced by the new card.
func TestKnownFailureMoves(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Cards: cards(t, map[string]string{"TestRacy": "jq2-moved"})}
	runs(t, cfg, "TestRacy")
	if got, err := readCard(cfg.Cards, "TestRacy"); got != "jq2-fake\n" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	cfg.Cards = ""
	if _, log := logged(t, cfg, "TestRacy"); log != "TestRacy by jq2-fake\n" {
		t.Errorf("got\n%s", log)
	}
}

// A schedule that leads to another failure is told so, and stays known: what it was for may be
// there still, and is looked for when the other failure is gone.
func TestKnownFailureFailsDifferently(t *testing.T) {
	cfg := suite.Config{Cache: t.TempDir(), Schedules: 100, Workers: 1}
	runs(t, cfg, "TestRacy")
	cfg.Seed = 2 // as if it were another program
	t.Setenv(fakeMended, "partly")
	got := runs(t, cfg, "TestRacy")
	if got.ok || !strings.Contains(got.out, "before (check: -50 left) fails differently now\n") || strings.Contains(got.out, "again") {
		t.Errorf("got ok: %t\n%s", got.ok, got.out)
	}
	cfg.Seed = 3
	t.Setenv(fakeMended, "yes")
	if got, log := logged(t, cfg, "TestRacy"); !got.ok || log != "TestRacy by jq2-another\nTestRacy by jq2-fake\nTestRacy from 0\n" {
		t.Errorf("got ok: %t, %s\n%s", got.ok, log, got.out)
	}
}

func readCard(dir, test string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(here, "/", "_")+"."+test))
	return string(text), err
}

// If nothing can be stored, tests are explored and reported all the same.
func TestNothingIsRemembered(t *testing.T) {
	cache := t.TempDir()
	for _, name := range []string{"explored", "failed"} {
		if err := os.WriteFile(filepath.Join(cache, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := runs(t, suite.Config{Cache: cache, Schedules: 100}, "TestMany")
	if want := "ok  \t" + here + "\t0.02s\t1 test, 1 concurrent, 100 schedules (100 distinct)\n"; !got.ok || got.out != want {
		t.Errorf("got ok: %t\n%s\nwant\n%s", got.ok, got.out, want)
	}
	for _, want := range []string{"jacquard: what earlier runs have explored is forgotten: ", "jacquard: what was explored could not be stored: "} {
		if !strings.Contains(got.errs, want) {
			t.Errorf("no %q in %q", want, got.errs)
		}
	}
}
