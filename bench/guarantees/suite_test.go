package guarantees_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/bench/guarantees"
	"github.com/jacquard-go/jacquard/bench/peers"
)

// The variables that make this test binary the process of one probe.
const rowEnv, peerEnv = "GUARANTEES_ROW", "GUARANTEES_PEER"

// effort is enough to find a frequent race, but not a rare one.
var effort = guarantees.Effort{Races: 2000, Rounds: 1}

func TestMain(m *testing.M) {
	row := os.Getenv(rowEnv)
	if row == "" {
		os.Exit(m.Run())
	}
	name := peers.Name(os.Getenv(peerEnv))
	open := func() (peers.Cache[string, *guarantees.Object], error) {
		if name == carelessName {
			return newCareless(), nil
		}
		return peers.Open[string, *guarantees.Object](name, 1000)
	}
	if err := guarantees.Serve(os.Stdout, row, open, effort); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func suite(names ...peers.Name) guarantees.Suite {
	return guarantees.Suite{
		Rows: guarantees.Rows(), Peers: names, Limit: 30 * time.Second, Parallel: 8,
		Child: func(ctx context.Context, row string, peer peers.Name) *exec.Cmd {
			cmd := exec.CommandContext(ctx, os.Args[0])
			cmd.Env = append(os.Environ(), rowEnv+"="+row, peerEnv+"="+string(peer))
			return cmd
		},
	}
}

// TestOursKeepsAll: our cache keeps what every row asks for, so no peer can be better.
func TestOursKeepsAll(t *testing.T) {
	table, err := suite(peers.Ours).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Rows {
		if o := table.At(r.ID, peers.Ours); o.Grade != guarantees.Kept {
			t.Errorf("%s %s: got %q", r.ID, r.What, o.Text)
		}
	}
}

// TestSuiteCanFail: no row is kept by a cache that does everything wrong.
func TestSuiteCanFail(t *testing.T) {
	table, err := suite(peers.Ours, carelessName).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Rows {
		if o := table.At(r.ID, carelessName); o.Grade == guarantees.Kept {
			t.Errorf("%s %s: a careless cache got %q", r.ID, r.What, o.Text)
		}
	}
	if behind := table.Behind(carelessName); len(behind) != len(table.Rows) {
		t.Errorf("the careless cache is behind in %d rows, want all %d", len(behind), len(table.Rows))
	}
	if behind := table.Behind(peers.Ours); len(behind) != 0 {
		t.Errorf("ours is behind a careless cache: %v", behind)
	}
}

// TestTables: the written tables have every row and every peer.
func TestTables(t *testing.T) {
	s := suite(peers.Ours, peers.SyncMapName)
	s.Rows = s.Rows[:3]
	table, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := table.Markdown()
	if lines := strings.Count(text, "\n"); lines != 5 || !strings.Contains(text, "| G2a | an error: who waited gets | **the error** | creates itself |") {
		t.Errorf("got %d lines:\n%s", lines, text)
	}
	if glance := table.Glance(); strings.Count(glance, "\n") != 4 || !strings.Contains(glance, "| jacquard | **0 + 0** |") {
		t.Errorf("got\n%s", glance)
	}
}

func TestNoChild(t *testing.T) {
	s := suite(peers.Ours)
	s.Rows = s.Rows[:1]
	s.Child = func(ctx context.Context, _ string, _ peers.Name) *exec.Cmd { return exec.CommandContext(ctx, "false") }
	if _, err := s.Run(t.Context()); err == nil {
		t.Error("a suite whose probes cannot run has no error")
	}
	if err := guarantees.Serve(&strings.Builder{}, "G99", nil, effort); err == nil {
		t.Error("an unknown row has no error")
	}
}
