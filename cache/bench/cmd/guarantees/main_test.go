package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/cache/bench/guarantees"
	"github.com/jacquard-go/jacquard/cache/bench/peers"
)

// TestPage: the page in docs has every row that there is, and the versions of the libraries that go.mod asks for.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/guarantees.md")
	if err != nil {
		t.Fatal(err)
	}
	const again = "run go run ./cmd/guarantees -o ../../docs/guarantees.md"
	for _, r := range guarantees.Rows() {
		if !strings.Contains(string(page), "| "+r.ID+" | "+r.What+" | **") {
			t.Errorf("docs/guarantees.md: want %s, %q, with our answer as it must be; %s", r.ID, r.What, again)
		}
	}
	for _, name := range peers.All() {
		if name == peers.SyncMapName {
			continue // its version is that of whoever makes the page
		}
		if !strings.Contains(string(page), "- "+describe(name)+"\n") {
			t.Errorf("docs/guarantees.md: want %q; %s", describe(name), again)
		}
	}
}

// TestServe: the process of one probe says what it found.
func TestServe(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-row=G4a", "-peer=jacquard"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(out.String()); got != `{"Text":"honoured","Grade":0}` {
		t.Errorf("got %s", got)
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{"-races=0"}, {"-rounds=0"}, {"all"}, {"-row=G99"}, {"-row=G1", "-peer=nobody"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q: got no error", args)
		}
	}
}
