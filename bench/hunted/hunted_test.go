package hunted

import (
	"strings"
	"testing"
)

// A measurement has a row for each test, and finds the failure in its log.
func TestMeasured(t *testing.T) {
	o := order{seeds: 1, limit: 300, only: "TestLedger"}
	got, err := o.measured(t.Context(), ".", t.Output())
	if err != nil || !strings.Contains(got, "| TestLedger | deadlock |") || strings.Contains(got, "TestGate") {
		t.Errorf("got %v and\n%s, want a row of TestLedger", err, got)
	}
}

// Each log has one failure, and its place.
func TestLogs(t *testing.T) {
	all, err := programs(".")
	if err != nil || len(all) < 20 {
		t.Fatalf("got %d logs and %v, want 20", len(all), err)
	}
	for _, p := range all {
		if p.failed.Kind == "" || p.failed.Message == "" || len(p.failed.Lines) == 0 {
			t.Errorf("%s: got %+v, want a failure and its place", p.name, p.failed)
		}
	}
}
