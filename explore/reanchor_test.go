package explore_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// stranger returns a card as if another build of the program had made it.
func stranger(t *testing.T, card string) string { return flip(t, card, programByte) }

// After the program has changed, a card finds the bug by its named operations, wherever they
// are now. It says so if it does not find it.
func TestReAnchored(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	type edits = programs.Edits
	for _, c := range []struct {
		name          string
		before, after edits
		outcome       explore.Outcome
		says          string
	}{
		{"the same again", edits{}, edits{}, explore.ReAnchored, "fails in the same way"},
		{"a lock operation elsewhere", edits{}, edits{Elsewhere: true}, explore.ReAnchored, "re-anchored"},
		{"another lock in front", edits{}, edits{InFront: true}, explore.ReAnchored, "re-anchored"},
		{"one operation more", edits{}, edits{OnceMore: true}, explore.ReAnchored, "re-anchored"},
		{"all of these", edits{}, edits{InFront: true, OnceMore: true, Elsewhere: true}, explore.ReAnchored, "re-anchored"},
		{"these taken away", edits{InFront: true, OnceMore: true, Elsewhere: true}, edits{}, explore.ReAnchored, "re-anchored"},
		{"operations before it less", edits{}, edits{Less: true}, explore.ReAnchored, "re-anchored"},
		{"another goroutine first", edits{}, edits{Another: true}, explore.ReAnchored, "re-anchored"},
		{"other names", edits{}, edits{Renamed: true}, explore.ReAnchored, "re-anchored"},
		{"another function", edits{}, edits{Moved: true}, explore.ReAnchored, "re-anchored"},
		{"other names and another function", edits{}, edits{Renamed: true, Moved: true}, explore.ReAnchored, "re-anchored"},
		{"goroutines without names", edits{Unnamed: true}, edits{Unnamed: true, Another: true, InFront: true}, explore.ReAnchored, "re-anchored"},
		{"looked at again", edits{}, edits{Rechecked: true}, explore.Gone, "passes now"},
		{"looked at again, and more", edits{}, edits{Rechecked: true, Elsewhere: true, Another: true}, explore.Gone, "passes now"},
		{"one critical section", edits{}, edits{Locked: true}, explore.Diverged, "first divergence at decision"},
		{"an atomic operation", edits{}, edits{Atomic: true}, explore.Diverged, `got "rent" at its end`},
		{"another kind of failure", edits{}, edits{Panics: true}, explore.Otherwise, "leads to another one (panic)"},
		{"another cause", edits{}, edits{Reworded: true}, explore.Otherwise, "leads to another one (check)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := small("account")
			card := stranger(t, run(t, cfg, programs.Edited(c.before)).Failure.Card)
			after := programs.Edited(c.after)
			r, err := explore.Replay(t.Context(), cfg, card, after)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v after %d executions", r, r.Executions)
			if r.Outcome != c.outcome || !strings.Contains(r.String(), c.says) {
				t.Fatalf("got %v: %s, want %v: …%s…", r.Outcome, r, c.outcome, c.says)
			}
			if (r.Result.Verdict == explore.Violated) != (c.outcome == explore.ReAnchored || c.outcome == explore.Otherwise) {
				t.Errorf("got the verdict %v, want violated exactly if the failure happened", r.Result.Verdict)
			}
			if r.Result.Failure == nil {
				return
			}
			again, err := explore.Replay(t.Context(), cfg, r.Result.Failure.Card, after)
			if err != nil || again.Outcome != explore.Exact {
				t.Errorf("its new card: got %v, %v, want %v", again, err, explore.Exact)
			}
		})
	}
}

// The card of every canary and classic works in another build.
func TestReAnchoredElsewhere(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	all := programs.Canaries()
	for _, c := range programs.Classics() {
		all = append(all, c.Bug)
	}
	for _, b := range all {
		if b.Verdict != explore.Violated {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			cfg := explore.Config{Name: b.Name}
			want := run(t, cfg, b.Run).Failure
			t.Logf("%d characters: %s", len(want.Card), want.Card)
			r, err := explore.Replay(t.Context(), cfg, stranger(t, want.Card), b.Run)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Result.Failure; r.Outcome != explore.ReAnchored || got.Kind != b.Kind || got.Preemptions != want.Preemptions {
				t.Logf("%s: %s, then %s: %s", want.Kind, want.Message, got.Kind, got.Message)
				t.Errorf("got %v after %d executions, want %v", r, r.Executions, explore.ReAnchored)
			}
		})
	}
}

// A leak in every schedule is not part of a failure whose leak is only in some. A card's
// failure is recognised beside it, and is gone once its own leak is fixed. This also holds if
// only the default schedule leaks.
func TestLeakReAnchored(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var early bool
	var room int
	leaves := func(*explore.T) {
		never, result, late := make(chan int), make(chan int, room), make(chan int)
		go func() { <-never }()
		end := func() { close(late) }
		if early {
			go end()
		}
		go func() { result <- 1 }()
		if !early {
			go end()
		}
		select {
		case <-result:
		case <-late:
		}
	}
	for _, early = range []bool{false, true} {
		cfg := explore.Config{Name: t.Name(), Leaks: explore.LeaksDiffer}
		room = 0
		card := run(t, cfg, leaves).Failure.Card
		for _, c := range []struct {
			card string
			room int
			want explore.Outcome
		}{
			{card, 0, explore.Exact}, {stranger(t, card), 0, explore.ReAnchored}, {stranger(t, card), 1, explore.Gone},
		} {
			room = c.room
			r, err := explore.Replay(t.Context(), cfg, c.card, leaves)
			if err != nil || r.Outcome != c.want {
				t.Errorf("early: %t, room for %d: got %v, %v, want %v", early, room, r, err, c.want)
			}
		}
	}
}
