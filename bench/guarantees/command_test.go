package guarantees

import (
	"os"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench/peers"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
)

// TestPage: the page in docs has every row, and the versions of the libraries that go.mod requires.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/guarantees.md")
	if err != nil {
		t.Fatal(err)
	}
	const again = "run make guarantees"
	for _, r := range Rows() {
		if !strings.Contains(string(page), "| "+r.ID+" | "+r.What+" | **") {
			t.Errorf("docs/guarantees.md: want %s, %q, with our answer as it must be; %s", r.ID, r.What, again)
		}
	}
	for _, name := range peers.All() {
		if name == peers.SyncMapName {
			continue // its version is that of the Go release that made the page
		}
		if !strings.Contains(string(page), "- "+describe(name)+"\n") {
			t.Errorf("docs/guarantees.md: want %q; %s", describe(name), again)
		}
	}
}

// TestServe: the process of one probe writes its outcome.
func TestServe(t *testing.T) {
	if got := strings.TrimSpace(commandtest.Execute(t, Command(), "-row=G4a", "-peer=jacquard").Out); got != `{"Text":"honoured","Grade":0}` {
		t.Errorf("got %s", got)
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{"-races=0"}, {"-rounds=0"}, {"all"}, {"-row=G99"}, {"-row=G1", "-peer=nobody"}} {
		if got := commandtest.Execute(t, Command(), args...); got.Code != command.ExitError {
			t.Errorf("%q: got code %d, want %d", args, got.Code, command.ExitError)
		}
	}
}
