package figures_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/bench/figures"
)

func TestMedianAndWorst(t *testing.T) {
	sorted := figures.Needed([]figures.Sample{{Found: true, Schedules: 9}, {Schedules: 20}, {Found: true, Schedules: 1}})
	if figures.Median(sorted) != 9 || figures.Worst(sorted) != figures.Never || figures.WorstText(sorted) != "– (2)" {
		t.Errorf("got %d, %d, %s, want 9, never and 2 found", figures.Median(sorted), figures.Worst(sorted), figures.WorstText(sorted))
	}
	if figures.Median(nil) != figures.Never || figures.WorstText(nil) != "–" {
		t.Errorf("of no searches: got %d, %s, want never", figures.Median(nil), figures.WorstText(nil))
	}
}
