package explored_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench/explored"
	"github.com/jacquard-go/jacquard/bench/peers"
	"github.com/jacquard-go/jacquard/explore"
)

// TestFound: the known races of other caches are found, with their kinds, and their cards replay.
func TestFound(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	want := map[string]string{
		"theine": "2 creations, want 1", "ttlcache": "2 creations, want 1", "sturdyc": "2 creations, want 1",
		"sturdyc-error": "a second call, begun after the first had failed, got its error: creator failed",
	}
	for _, row := range explored.Found() {
		r, err := row.Explore(t.Context(), 1, 1000)
		if err != nil {
			t.Fatalf("%s: %v", row.ID, err)
		}
		if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck || r.Failure.Messages[0] != want[row.ID] {
			t.Errorf("%s: got %v (%s), want %q", row.ID, r.Verdict, r.Summary(), want[row.ID])
			continue
		}
		t.Logf("%-13s %s; %s", row.ID, r.Summary(), r.Failure.Card)
		again, err := row.Replay(t.Context(), r.Failure.Card)
		if err != nil || again.Outcome != explore.Exact || again.Result.Failure.Message != r.Failure.Message {
			t.Errorf("%s: its card: got %v, %v, want the same failure", row.ID, again, err)
		}
	}
}

// cardsTold matches the cards on the page, with their rows.
var cardsTold = regexp.MustCompile(`(?m)^    go run \./cmd/bench explored -found -card (\S+) (\S+)$`)

// TestFoundIsTold: the page describes each of them, with the version that has it, the command that finds it again, and a
// card that replays in this build as well.
func TestFoundIsTold(t *testing.T) {
	page, err := os.ReadFile("../../docs/found.md")
	if err != nil {
		t.Fatal(err)
	}
	if !explore.Control(t) {
		return
	}
	cards := map[string]string{}
	for _, m := range cardsTold.FindAllStringSubmatch(string(page), -1) {
		cards[m[2]] = m[1]
	}
	for _, row := range explored.Found() {
		if command := "go run ./cmd/bench explored -found -show " + row.ID + "\n"; !strings.Contains(string(page), command) {
			t.Errorf("docs/found.md: want the command %q", command)
		}
		again, err := row.Replay(t.Context(), cards[row.ID])
		if err != nil || again.Result.Verdict != explore.Violated {
			t.Errorf("docs/found.md: %s: its card %q: got %v, %v, want the failure", row.ID, cards[row.ID], again, err)
		}
	}
	for _, name := range []peers.Name{peers.TheineName, peers.TTLCacheName, peers.SturdycName} {
		if version := "`" + peers.Module(name) + "` " + peers.Version(name); !strings.Contains(string(page), version) {
			t.Errorf("docs/found.md: want %s", version)
		}
	}
}

// TestNotFound: the bodies that find those races report nothing for caches without them.
func TestNotFound(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, name := range []peers.Name{peers.Ours, peers.OtterName, peers.XsyncName, peers.FlightName} {
		for what, body := range map[string]func(*explore.T){"creation": explored.OneCreation(name), "error": explored.ErrorForgotten(name)} {
			row := explored.Row{ID: string(name) + " " + what, Body: body}
			r, err := row.Explore(t.Context(), 1, schedules(t))
			if err != nil {
				t.Fatalf("%s: %v", row.ID, err)
			}
			if r.Verdict != explore.Holds {
				explore.Report(t, r)
			}
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
