package explored_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/jacquard-go/jacquard/bench/explored"
	"github.com/jacquard-go/jacquard/explore"
)

// schedules returns in how many schedules each row is explored. An environment variable sets more.
func schedules(t *testing.T) int {
	text := os.Getenv("JACQUARD_SCHEDULES")
	if text == "" {
		return 100
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("JACQUARD_SCHEDULES: got %q, want a number of schedules", text)
	}
	return n
}

// TestRows: every guarantee holds in every schedule that is tried.
func TestRows(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, row := range explored.Rows() {
		r, err := row.Explore(t.Context(), 1, schedules(t))
		if err != nil {
			t.Fatalf("%s: %v", row.ID, err)
		}
		t.Logf("%-5s %-70s %s; %d points", row.ID, row.What, r.Summary(), r.Points)
		if r.Verdict != explore.Holds {
			explore.Report(t, r)
		}
	}
}
