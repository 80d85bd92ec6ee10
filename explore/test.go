package explore

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// cardEnv names the variable that holds the card to replay.
const cardEnv = "JACQUARD_CARD"

// samples is how many times [Test] runs a body that it cannot control.
const samples = 100

// reportWidth, in columns, leaves room for the margin that go test puts before a message.
const reportWidth = 100

// Test explores body as part of a test and reports the result as the test's:
// Violated and Unknown fail it. If the variable JACQUARD_CARD is set, it replays
// that card instead; see [Replay].
//
// The card of a failure is stored as a file, by default in the folder
// testdata/jacquard/<name of the test> of the package. Stored cards run before
// anything is explored: the first that fails is the result. A card that no longer
// fails is kept; one that cannot be followed in the changed program is logged. See
// [Config].Cards.
//
// In a process that is not under control, as under plain go test, Test builds the
// test's package with the overlay, runs the same test there, and reports that run's
// result; see [Control]. It uses the race detector unless the variable JACQUARD_RACE is
// 0. If control is impossible here, Test logs the reason and runs the body without
// control. jacquard test runs each test as a whole under control; there Test only tells
// the command that the test explores by itself, and the command then runs it as under
// plain go test.
func Test(tb testing.TB, cfg Config, body func(*T)) {
	tb.Helper()
	if cfg.Name == "" {
		cfg.Name = tb.Name()
	}
	if cfg.Replayed == "" {
		cfg.Replayed = fmt.Sprintf("%s%s=%%s go test -run '%s' .", raceSetting(), cardEnv, workers.RunPattern(tb.Name()))
	}
	cards, err := newStore(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	stored, err := cards.load() // in every mode, so that the go command sees what the result depends on
	if err != nil {
		tb.Fatal(err)
	}
	switch modeOf(tb) {
	case modeHosted:
	case modePlain:
		err := rerun(tb)
		if errors.Is(err, ErrNoControl) {
			tb.Logf("%v; sampled %d runs without control instead: this explores nothing", err, samples)
			sample(tb, cfg, body)
		} else if err != nil {
			tb.Fatal(err)
		}
	case modeWorker:
		confirm(tb)
		explored(tb, cfg, body)
	case modeCard:
		confirm(tb)
		replayOne(tb, cfg, os.Getenv(cardEnv), body)
	case modeExplore:
		confirm(tb)
		if !runStored(tb, cfg, stored, body) {
			keep(tb, cards, cfg, explored(tb, cfg, body))
		}
	}
}

// explored explores body and reports the result as tb's.
func explored(tb testing.TB, cfg Config, body func(*T)) *Result {
	tb.Helper()
	r, err := search.Run(tb.Context(), search.Config(cfg), body)
	if err != nil {
		tb.Fatal(err)
	}
	Report(tb, r)
	return r
}

// Report makes a result that of a test: Holds is logged, anything else is an error,
// which for a failure shows the whole timeline.
func Report(tb testing.TB, r *Result) {
	tb.Helper()
	switch r.Verdict {
	case verdict.Holds:
		tb.Logf("holds: %s; seed %d%s", r.Summary(), r.Seed, trustNote(r))
	case verdict.Violated:
		var b strings.Builder
		if err := timeline.Text(&b, r.Failure.Timeline, timeline.Options{Width: reportWidth}); err != nil {
			tb.Fatal(err)
		}
		tb.Errorf("%s%s", b.String(), r.Unexplored())
	default:
		tb.Errorf("unknown: %s; seed %d", r.Reason, r.Seed)
	}
}

func trustNote(r *Result) string {
	return source.Prefixed("; points left out in ", strings.Join(r.Trusted, ", ")) + source.Prefixed("; no point met in ", strings.Join(r.Unmet, ", "))
}

// confirm tells the process that started this one, if any, that this test runs under control.
func confirm(tb testing.TB) {
	workers.EnterTest(tb)
	path := os.Getenv(workers.ConfirmEnv)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		tb.Fatalf("explore: %v", err)
	}
	_, err = fmt.Fprintln(f, tb.Name())
	if err = errors.Join(err, f.Close()); err != nil {
		tb.Fatalf("explore: %v", err)
	}
}
