package suite_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Several processes explore one test when the package's time is over, or when there
// has been a failure that is enough: none of them stays.
func TestSeveralProcessesOfOneTest(t *testing.T) {
	for _, c := range []struct {
		name  string
		cfg   suite.Config
		least int // processes; with one for each test there would be fewer
		wants []string
	}{
		{"timeout", suite.Config{Run: "^TestBusyEndless$", Workers: 3, Timeout: time.Hour}, enough, []string{
			"SIGQUIT: quit", `--- FAIL: TestBusyEndless \(0.02s\)\n    timed out after 1h0m0s\n`,
		}},
		{"failfast", suite.Config{Run: "^TestBusy(Fails)?$", Workers: 4, FailFast: true, Verbose: true}, 3, []string{ // it may fail too soon for others to help
			`--- FAIL: TestBusyFails `, `replay: jacquard replay .*\.TestBusyFails `,
			`    [\d,]+ schedules?, [\d,]+ distinct by happens-before, .*\n--- PASS: TestBusy `,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, processes := explores(t, c.cfg)
			for _, want := range c.wants {
				if !regexp.MustCompile(want).MatchString(got.out) {
					t.Errorf("no %q in\n%s", want, got.out)
				}
			}
			if got.ok || processes < c.least {
				t.Errorf("got ok: %t, %d processes, want at least %d\n%s", got.ok, processes, c.least, got.out)
			}
		})
	}
}

// A test's schedule is the same whether or not other tests are to be run after it has
// failed, so its card can be replayed.
func TestReplaysWhatFailedFast(t *testing.T) {
	got, _ := explores(t, suite.Config{Run: "^TestHalves$", FailFast: true})
	card := regexp.MustCompile(`replay: .*\.TestHalves (\S+)\n`).FindStringSubmatch(got.out)
	if card == nil {
		t.Fatalf("no card in\n%s", got.out)
	}
	e, err := suite.Replay(t.Context(), ofGuest(t, suite.Config{}), suite.Card{Package: ".", Test: "TestHalves", Text: card[1]})
	if err != nil || e.Replayed != "exactly replayed" {
		t.Errorf("got %+v, %v", e, err)
	}
}

// ofGuest is cfg with the test binary of package guest's module, under control.
func ofGuest(t *testing.T, cfg suite.Config) suite.Config {
	t.Helper()
	cfg.Dir, cfg.Cache = filepath.Join("guest", "testdata", "tests"), t.TempDir()
	binary, err := toolchain.Build(t.Context(), toolchain.Request{Dir: cfg.Dir, Test: true, Guest: jacquard.Source()})
	if err != nil {
		t.Fatal(err)
	}
	return suite.WithBinary(cfg, binary)
}

// enough processes explore a test to be more than one for each test; TestBusyEndless waits
// for so many.
const enough = 3

// explores runs tests of that module and says how many processes there were. None is
// left. If the time is bounded, it is over when there have been enough of them.
func explores(t *testing.T, cfg suite.Config) (got said, processes int) {
	t.Helper()
	cfg = ofGuest(t, cfg)
	cfg.Schedules = 1_000_000
	cfg.Plan = []protocol.Stage{{Strategy: "random", Schedules: cfg.Schedules}} // who searches needs no help
	executions := filepath.Join(t.TempDir(), "executions")
	if err := os.WriteFile(executions, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TESTS_EXECUTIONS", executions)
	if cfg.Timeout > 0 {
		cfg = overWhen(t, cfg, func() bool {
			info, err := os.Stat(executions)
			return err == nil && info.Size() >= 8*enough
		})
	}
	pipe, others, log := held(t)
	t.Setenv("TESTS_HOLD", pipe)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var out bytes.Buffer
	cfg.Out = &out
	ok, err := suite.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	_ = others.Close() // now the processes are the only ones that can write
	if _, err := bufio.NewReader(log).ReadByte(); err != io.EOF {
		t.Errorf("got %v, want %v: a process is alive", err, io.EOF)
	}
	empty(t, temp)
	info, err := os.Stat(executions)
	if err != nil {
		t.Fatal(err)
	}
	return said{ok: ok, out: times.ReplaceAllString(out.String(), "0.02s")}, int(info.Size() / 8)
}
