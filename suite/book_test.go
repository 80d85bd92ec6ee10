package suite_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/suite"
)

// A failure is new once. Then it is recorded, fails nothing in runs that know it, and its
// record changes with the results of its test.
func TestLedgerOfRuns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "failures", "ledger.json")
	for _, step := range []struct {
		name   string
		cfg    suite.Config
		mended string
		ok     bool
		want   []string
		state  string
	}{
		{"new", suite.Config{Ledger: file}, "", false, []string{"new failure ", "1 new, 0 seen again, 0 not seen\n"}, finding.Known},
		{"again", suite.Config{Ledger: file}, "", false, []string{"recorded failure ", ", first seen on ", "0 new, 1 seen again, 0 not seen\n"}, finding.Known},
		{"known", suite.Config{Ledger: file, Known: file}, "", true, []string{"known failure ", "0 new, 1 seen again, 0 not seen\n"}, finding.Known},
		{"mended", suite.Config{Ledger: file, Schedules: 100}, "yes", true, []string{"0 new, 0 seen again, 1 not seen\n"}, finding.Unseen(100)},
		{"back", suite.Config{Ledger: file, Schedules: 100}, "", false, []string{" failure ", "0 new, 1 seen again, 0 not seen\n"}, finding.Known},
	} {
		t.Setenv(fakeMended, step.mended)
		got := runs(t, step.cfg, "TestLoses", "TestPlain")
		for _, want := range step.want {
			if !strings.Contains(got.out+got.errs, want) {
				t.Errorf("%s: no %q in\n%s%s", step.name, want, got.out, got.errs)
			}
		}
		if got.ok != step.ok {
			t.Errorf("%s: got ok: %t\n%s", step.name, got.ok, got.out)
		}
		if r := onlyRecord(t, file); r.State != step.state || r.Subject != here+".TestLoses" || r.Kind != "check" || r.Cause != "lost update" || r.Card != "jq2-fake" {
			t.Errorf("%s: got %+v, want it %s", step.name, r, step.state)
		}
	}
}

// onlyRecord returns the single failure of a ledger.
func onlyRecord(t *testing.T, file string) finding.Record {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var l finding.Ledger
	if err := json.Unmarshal(text, &l); err != nil || l.Format != finding.Format || len(l.Failures) != 1 {
		t.Fatalf("got %v, %+v, want one failure", err, l)
	}
	return l.Failures[0]
}

// If the first schedule of a test fails with a known failure, what counts of the test is what
// exploring has shown beyond that.
func TestKnownInTheFirstSchedule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known")
	l := finding.Ledger{Format: finding.Format, Failures: []finding.Record{
		{Signature: finding.Signature(here, "TestEarly", "panic", "weft"), State: finding.Known, Subject: here + ".TestEarly", Kind: "panic", Cause: "weft"},
	}}
	text, err := l.Text()
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeMended, "yes")
	got := runs(t, suite.Config{Known: file, Schedules: 100}, "TestEarly")
	if !got.ok || !strings.Contains(got.out, "--- SKIP: TestEarly") || !strings.Contains(got.out, "known failure ") || !strings.Contains(got.out, "100 schedules (100 distinct)") {
		t.Errorf("got ok: %t\n%s\nwant the known failure, and 100 schedules", got.ok, got.out)
	}
}

// A file that is no ledger is refused before anything is run, and stays unchanged.
func TestNoLedger(t *testing.T) {
	for text, want := range map[string]string{"hello": "invalid character", `{"format": 99}`: "format: got 99, want "} {
		file := filepath.Join(t.TempDir(), "ledger")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, cfg := range []suite.Config{{Ledger: file}, {Known: file}} {
			_, err := suite.Run(t.Context(), suite.WithBuild(cfg, func() (string, error) { return "", errors.New("it was built") }))
			if !errors.Is(err, finding.ErrLedger) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", text, err, want)
			}
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != text {
			t.Errorf("got %q, %v, want it as it was", now, err)
		}
	}
	if _, err := suite.Run(t.Context(), suite.Config{Known: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, finding.ErrLedger) {
		t.Errorf("got %v, want that there are no known failures", err)
	}
}

// keep writes a file beside the test, which names the test.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	f := suite.Failed{Package: "example.com/p", Test: "TestLoses", Card: "jq2-fake", When: time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC), Dir: dir}
	file, err := suite.Keep(f)
	if err != nil || !strings.HasPrefix(file, filepath.Join(dir, "testdata", "jacquard", "TestLoses.")) {
		t.Fatalf("got %s, %v", file, err)
	}
	text, err := os.ReadFile(file)
	if want := "# example.com/p.TestLoses, found on 2026-11-22\njq2-fake\n"; err != nil || string(text) != want {
		t.Errorf("got %q, %v, want %q", text, err, want)
	}
}

// The state of a card's failure is determined by the card, or else by a search.
func TestVerify(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeTests, names("TestLoses"))
	for _, c := range []struct{ card, mended, want string }{
		{"jq2-fake", "", suite.StillFails},
		{"jq2-fake", "yes", finding.Unseen(100)},
		{"jq2-lost", "", suite.FailsOtherwise}, // the search finds one, which it does not say is the card's
	} {
		t.Setenv(fakeMended, c.mended)
		cfg := suite.WithBinary(suite.Config{Cache: t.TempDir(), Schedules: 100}, binary)
		v, err := suite.Verify(t.Context(), cfg, suite.Card{Package: ".", Test: "TestLoses", Text: c.card})
		if err != nil || v.State != c.want {
			t.Errorf("%s, mended %q: got %q, %v, want %q", c.card, c.mended, v.State, err, c.want)
		}
	}
}
