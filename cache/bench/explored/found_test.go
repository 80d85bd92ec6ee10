package explored_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/cache/bench/explored"
	"github.com/jacquard-go/jacquard/cache/bench/peers"
	"github.com/jacquard-go/jacquard/explore"
)

// TestFound: the known races of other caches are found, as what they are, and their cards replay.
func TestFound(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, row := range explored.Found() {
		r, err := row.Explore(t.Context(), 1, 1000)
		if err != nil {
			t.Fatalf("%s: %v", row.ID, err)
		}
		if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck || !strings.HasPrefix(r.Failure.Message, "2 creations") {
			t.Errorf("%s: got %v (%s), want two creations", row.ID, r.Verdict, r.Summary())
			continue
		}
		t.Logf("%-9s %s; %s", row.ID, r.Summary(), r.Failure.Card)
		again, err := row.Replay(t.Context(), r.Failure.Card)
		if err != nil || again.Failure.Message != r.Failure.Message {
			t.Errorf("%s: its card: got %v, want the same failure", row.ID, err)
		}
	}
}

// TestOneCreationHolds: the body that finds those races does not find any where there is none.
func TestOneCreationHolds(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, name := range []peers.Name{peers.Ours, peers.OtterName, peers.XsyncName, peers.FlightName} {
		row := explored.Row{ID: string(name), Body: explored.OneCreation(name)}
		r, err := row.Explore(t.Context(), 1, schedules(t))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Verdict != explore.Holds {
			explore.Report(t, r)
		}
	}
}

func TestFind(t *testing.T) {
	if rows, err := explored.Find("g10"); err != nil || len(rows) < 3 {
		t.Errorf("G10: got %d rows, %v", len(rows), err)
	}
	if rows, err := explored.Find("G1"); err != nil || len(rows) != 3 {
		t.Errorf("G1: got %d rows, %v, want 3", len(rows), err)
	}
	if _, err := explored.Find("G99"); err == nil {
		t.Error("G99: got rows, want none")
	}
	seen := map[string]bool{}
	for _, row := range append(explored.Rows(), explored.Found()...) {
		if seen[row.ID] || row.What == "" || row.Body == nil {
			t.Errorf("%q: want an ID of its own, a few words and a body", row.ID)
		}
		seen[row.ID] = true
	}
}
