package history_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/history"
)

// replaced replaces a node by one with a value.
func replaced(h *history.History, value string, past *history.Node[string]) *history.Node[string] {
	n := history.NewNode(value, past)
	history.Took(h, n)
	return n
}

// want compares what an era sees of a key with a value; "" means nothing.
func want(t *testing.T, n *history.Node[string], era uint64, value string) {
	t.Helper()
	got := ""
	if n = n.In(era); n != nil {
		got = n.Value
	}
	if got != value {
		t.Errorf("in era %d: got %q, want %q", era, got, value)
	}
}

// Each listing sees the newest version from before it, whatever came later.
func TestListingsSeeTheirStates(t *testing.T) {
	h := history.New()
	none, endNone := h.List()
	n := replaced(h, "a", nil)
	first, endFirst := h.List()
	n = replaced(h, "b", n)
	second, endSecond := h.List()
	n = replaced(h, "c", n)
	want(t, n, none, "")
	want(t, n, first, "a")
	want(t, n, second, "b")
	endNone()
	endFirst()
	n = replaced(h, "d", n)
	want(t, n, second, "b")
	endSecond()
	n = replaced(h, "e", n)
	if past := n.Past(); past != nil {
		t.Errorf("got the version %q without a listing, want none kept", past.Value)
	}
}

// No listing sees a version that was replaced between two listings.
func TestVersionsOfOneEra(t *testing.T) {
	h := history.New()
	n := replaced(h, "a", nil)
	era, end := h.List()
	defer end()
	for _, value := range []string{"b", "c", "d"} {
		n = replaced(h, value, n)
	}
	want(t, n, era, "a")
	if past := n.Past(); past == nil || past.Value != "a" {
		t.Errorf("behind d: got %v, want a", past)
	}
}

// Nodes that share a moment take their places in the era in which it is settled.
func TestSharedMoment(t *testing.T) {
	h := history.New()
	n, other := history.NewNode("a", nil), history.NewNode("b", nil)
	if !n.Alone() {
		t.Error("got a new node that is not alone, want it to have its own moment")
	}
	n.At = new(history.Moment)
	other.At = n.At
	if n.Alone() || n.At.Known() {
		t.Errorf("got alone %t, known %t; want neither before the other took its place", n.Alone(), n.At.Known())
	}
	before, endBefore := h.List()
	defer endBefore()
	history.Took(h, other)
	after, endAfter := h.List()
	defer endAfter()
	if !n.At.Known() {
		t.Error("got an unknown moment after the other took its place, want it known")
	}
	h.Settle(n.At) // changes nothing
	want(t, n, before, "")
	want(t, n, after, "a")
}

// A version is the last that any listing reads once those of earlier eras have ended.
func TestLast(t *testing.T) {
	h := history.New()
	n := replaced(h, "a", nil)
	era, end := h.List()
	n = replaced(h, "b", n)
	if history.Last(h, n) {
		t.Errorf("got b as the last while a listing of era %d reads a", era)
	}
	end()
	if !history.Last(h, n) {
		t.Error("got b not as the last without a listing, want it so")
	}
}
