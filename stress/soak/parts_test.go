package soak_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/jacquard-go/jacquard/stress/soak"
)

// A kill may tear the end of a journal. A torn call was not made, and a torn answer was not given.
func TestJournal(t *testing.T) {
	const (
		first  = `{"call":{"n":1,"g":1,"at":5,"kind":"get plan","subject":"p"}}` + "\n"
		second = `{"call":{"n":2,"g":2,"at":6,"kind":"get plan","subject":"p"}}` + "\n"
		answer = `{"return":{"n":1,"at":7,"outcome":"not found"}}` + "\n"
		stats  = `{"stats":{"Hits":3}}` + "\n"
	)
	for _, c := range []struct {
		text         string
		all, pending int
		wrong        bool
	}{
		{text: ""},
		{first, 1, 1, false},
		{first + second + answer + stats, 2, 1, false},
		{first + second[:len(second)-9], 1, 1, false},
		{first + answer[:len(answer)-1], 1, 1, false},
		{first + `{"return":{"n":1,"at":7,"outcome":"unknown"}}` + "\n", 1, 1, false},
		{text: answer, wrong: true},
		{text: first + answer + answer, wrong: true},
		{text: "{\n", wrong: true},
	} {
		dir := t.TempDir()
		check(t, os.WriteFile(soak.JournalName(dir), []byte(c.text), 0o600))
		all, pending, err := soak.ReadJournal(dir)
		if (err != nil) != c.wrong || !c.wrong && (all != c.all || pending != c.pending) {
			t.Errorf("%q: got %d operations, %d pending, %v, want %d and %d, wrong %v", c.text, all, pending, err, c.all, c.pending, c.wrong)
		}
	}
	if all, pending, err := soak.ReadJournal(t.TempDir()); all != 0 || pending != 0 || err != nil {
		t.Errorf("got %d operations, %d pending, %v without a journal, want none", all, pending, err)
	}
}

// A process whose clock differs from its parent's is an error.
func TestHello(t *testing.T) {
	now := soak.Clock()
	for text, want := range map[string]error{
		"":                                    nil, // killed before it printed anything
		`{"clock": ` + number(now+1) + "}\n":  nil,
		`{"clock": ` + number(now-1) + "}\n":  soak.ErrUnsupported,
		`{"clock": ` + number(now<<1) + "}\n": soak.ErrUnsupported,
	} {
		if err := soak.CheckHello(now, text); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", text, err, want)
		}
	}
	if err := soak.CheckHello(now, "flag provided but not defined\n"); err == nil {
		t.Error("got no error, want one with the output")
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// step is an increment of a counter: when it happens, and its call and return.
type step struct{ call, at, ret int64 }

// If increments happen between their calls and returns, the window of a value contains every moment at which the counter had it.
// So no correct history is rejected.
func TestCounterIsSound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 2000 {
		var (
			c     soak.Counter
			steps []step
			now   int64
		)
		for range rng.IntN(6) {
			now += 1 + rng.Int64N(20)
			steps = append(steps, step{now - rng.Int64N(15), now, now + rng.Int64N(15)})
		}
		valueAt := func(at int64) (n int) {
			for _, s := range steps {
				if s.at <= at {
					n++
				}
			}
			return n
		}
		known := rng.IntN(2) == 0 // whether each call returns the value that it reached
		for i, s := range steps {
			if known {
				c.Reached(i+1, s.call, s.ret)
			} else {
				c.Grew(s.call, s.ret)
			}
		}
		for range rng.IntN(10) {
			at := rng.Int64N(now + 20)
			c.Saw(valueAt(at), at-rng.Int64N(10), at+rng.Int64N(10))
		}
		for at := range now + 20 {
			n := valueAt(at)
			if from, until := c.Window(n); at < from || at > until {
				t.Fatalf("round %d: %+v: at %d the counter was %d, got the window %d to %d", round, steps, at, n, from, until)
			}
		}
	}
}

// The window of a value ends when the next value was seen, and begins when the previous one was.
func TestCounterExcludes(t *testing.T) {
	var c soak.Counter
	c.Reached(1, 10, 12)
	c.Reached(2, 20, 30)
	c.Saw(1, 24, 26)
	c.Saw(2, 27, 28)
	for n, want := range [][2]int64{1: {10, 28}, 2: {24, 1<<63 - 1}} {
		if from, until := c.Window(n); n > 0 && (from != want[0] || until != want[1]) {
			t.Errorf("%d: got %d to %d, want %d to %d", n, from, until, want[0], want[1])
		}
	}
	if from, until := c.Window(5); from <= until {
		t.Errorf("got %d to %d for an unseen value, want no window", from, until)
	}
}
