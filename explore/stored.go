package explore

import (
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// replayOne replays a card that the user has given. The test passes if the card no
// longer fails.
func replayOne(tb testing.TB, cfg Config, card string, body func(*T)) {
	tb.Helper()
	r, err := search.Replay(tb.Context(), search.Config(cfg), card, body)
	switch {
	case err != nil:
		tb.Fatal(err)
	case r.Result.Verdict == verdict.Violated:
		Report(tb, r.Result)
	case r.Outcome == verdict.Gone:
		tb.Logf("the card %s", r)
	default:
		tb.Errorf("the card cannot be followed: %s", r)
	}
}

// runStored replays the cards of earlier failures. It reports whether one of them
// fails, which is then the test's result.
func runStored(tb testing.TB, cfg Config, cards []storedCard, body func(*T)) bool {
	tb.Helper()
	passed := 0
	for _, c := range cards {
		r, err := c.replay(tb, cfg, body)
		switch {
		case errors.Is(err, card.ErrFormat), errors.Is(err, card.ErrOtherTest):
			tb.Logf("stored card %s cannot be followed: %v", c.path, err)
		case errors.Is(err, card.ErrCard):
			tb.Errorf("stored card %s: %v", c.path, err)
		case err != nil:
			tb.Fatalf("stored card %s: %v", c.path, err)
		case r.Result.Verdict == verdict.Violated:
			tb.Logf("stored card %s: %s", c.path, r)
			Report(tb, r.Result)
			return true
		case r.Outcome == verdict.Gone:
			passed++
		default:
			tb.Logf("stored card %s cannot be followed: %s", c.path, r)
		}
	}
	if passed > 0 {
		tb.Logf("stored cards that no longer fail: %d of %d", passed, len(cards))
	}
	return false
}

func (c storedCard) replay(tb testing.TB, cfg Config, body func(*T)) (*verdict.Replayed, error) {
	if c.err != nil {
		return nil, c.err
	}
	return search.Replay(tb.Context(), search.Config(cfg), c.text, body)
}

// keep stores the card of a failure.
func keep(tb testing.TB, cards store, cfg Config, r *Result) {
	tb.Helper()
	if r.Failure == nil {
		return
	}
	switch path, err := cards.save(r.Failure, cfg.Name); {
	case err != nil:
		tb.Logf("the card is not stored: %v", err)
	case path != "":
		tb.Logf("card stored in %s; it runs first the next time", path)
	}
}
