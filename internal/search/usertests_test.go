package search_test

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs/finals"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// DPOR reaches all final states of tests that package testing runs.
func TestDPORReachesEverythingOfTests(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if !explore.Control(t) {
		return
	}
	quietly(t)
	for _, b := range finals.UserTests() {
		t.Run(b.Name, func(t *testing.T) {
			all, reduced := searchAll(t, b, strategy.DepthFirst(1000)), searchAll(t, b, strategy.DPOR())
			t.Logf("%d schedules, %d orders; dpor %d schedules, %d whole, %d orders; finals %v", all.Schedules, all.Apart, reduced.Schedules, reduced.Whole, reduced.Orders, reduced.Finals)
			if reduced.Why != "" {
				t.Errorf("got no claim of dpor: %s", reduced.Why)
			}
			want, got := slices.Sorted(maps.Keys(all.Finals)), slices.Sorted(maps.Keys(reduced.Finals))
			if !slices.Equal(got, want) {
				t.Errorf("got final states %q, want %q", got, want)
			}
			if reduced.Orders != reduced.Whole || reduced.Orders != all.Apart {
				t.Errorf("got %d schedules of %d orders, want each of %d", reduced.Whole, reduced.Orders, all.Apart)
			}
		})
	}
}

// DPOR makes no claim for a body that uses pipes, because it does not see their operations.
func TestDPORClaimsNothingOfPipes(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	quietly(t)
	if got := searchAll(t, finals.UserTestOfPipes(), strategy.DPOR()); !strings.Contains(got.Why, "internal/poll") {
		t.Errorf("got %q, want pipes among what was not seen", got.Why)
	}
}

// quietly turns off the output of the tests that this test runs.
func quietly(t *testing.T) {
	for name, value := range map[string]string{"test.v": "false", "test.parallel": "4"} {
		was := flag.Lookup(name).Value.String()
		t.Cleanup(func() { _ = flag.Set(name, was) }) // the old value is valid
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
}
