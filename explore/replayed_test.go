package explore_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Each outcome has exactly this text.
func TestOutcomesInWords(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	by := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	cfg := small("account")
	type edits = programs.Edits
	before := programs.Edited(edits{})
	card := run(t, cfg, before).Failure.Card
	for _, c := range []struct {
		card         string
		body         func(*explore.T)
		said, footer string
	}{
		{card, before, "exactly replayed", "1 preemption in 19 steps, exactly replayed from its card"},
		{
			stranger(t, card), programs.Edited(edits{InFront: true}),
			"re-anchored: the program has changed since the card was made (by " + by + "), and fails in the same way",
			"1 preemption in 23 steps, from a card\n" +
				"re-anchored: the program has changed since the card was made (by " + by + "), and fails in the same way",
		},
		{
			stranger(t, card), programs.Edited(edits{Atomic: true}),
			`first divergence at decision 6 of 10: expected "rent" before Mutex.Lock of lock 1 in programs.(*purse).withdraw (time 2), and "food" to run; ` +
				`got "rent" at its end after 2 steps`, "",
		},
		{
			card, programs.Edited(edits{Renamed: true}),
			`first divergence at decision 6 of 10: expected "rent" before Mutex.Lock of lock 1 in programs.(*purse).withdraw (time 2), and "food" to run; ` +
				`got "housing" before Mutex.Lock of lock 1 in programs.(*purse).withdraw (time 2), and "eating" to run`, "",
		},
		{
			stranger(t, card), programs.Edited(edits{Rechecked: true}),
			"no longer fails: the program has changed since the card was made (by " + by + "), and the schedule that led to a failure (check) passes now", "",
		},
		{
			stranger(t, card), programs.Edited(edits{Panics: true}),
			"fails differently: the program has changed since the card was made (by " + by + "), and the schedule that led to a failure (check) leads to another one (panic)",
			"1 preemption in 19 steps, from a card\n" +
				"fails differently: the program has changed since the card was made (by " + by + "), and the schedule that led to a failure (check) leads to another one (panic)",
		},
	} {
		r, err := explore.Replay(t.Context(), cfg, c.card, c.body)
		if err != nil {
			t.Fatal(err)
		}
		footer := ""
		if r.Result.Failure != nil {
			footer = strings.Join(r.Result.Failure.Timeline.Footer, "\n")
		}
		if r.String() != c.said || footer != c.footer {
			t.Errorf("got\n%s\n%s\nwant\n%s\n%s", r, footer, c.said, c.footer)
		}
		if r.Result.Failure == nil && r.Result.Reason != c.said {
			t.Errorf("got the reason %q, want %q", r.Result.Reason, c.said)
		}
	}
}
