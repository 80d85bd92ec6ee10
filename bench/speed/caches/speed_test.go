package caches_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
	"github.com/jacquard-go/jacquard/bench/speed/caches"
)

// Every row has a figure for every peer that can have such keys, in every round.
func TestRows(t *testing.T) {
	cfg := caches.Config{Rounds: 8, Large: 2000, Turn: 400, Slow: 3}
	for _, row := range caches.Rows() {
		results, err := row.Measure(t.Context(), cfg)
		if err != nil {
			t.Errorf("%s: %v", row.Name, err)
			continue
		}
		want := len(peers.All())
		if !strings.Contains(row.Name, "string") && !strings.Contains(row.Name, "%") {
			want-- // sturdyc has string keys
		}
		if len(results) != want {
			t.Errorf("%s: %d results, want %d", row.Name, len(results), want)
		}
		for _, r := range results {
			if len(r.Samples) == 0 || len(r.Samples) > cfg.Rounds || r.Value() <= 0 {
				t.Errorf("%s: %s has %d samples and the value %v", row.Name, r.Peer, len(r.Samples), r.Value())
			}
		}
		if ours := results[0]; strings.HasPrefix(row.Name, "hit") && ours.Note != "" {
			t.Errorf("%s: ours makes %s", row.Name, ours.Note)
		} else if strings.HasPrefix(row.Name, "stampede") && ours.Note != "1 creation" {
			t.Errorf("%s: ours makes %s", row.Name, ours.Note)
		}
	}
}

// A miss in place makes three allocations, one by a caller that can leave five, and the growing of the table a few more.
func TestMissAllocations(t *testing.T) {
	for _, row := range caches.Rows() {
		want := map[string]string{"miss": "3.", "miss by callers that can leave": "5."}[row.Name]
		if want == "" {
			continue
		}
		results, err := row.Measure(t.Context(), caches.Config{Rounds: 1, Turn: 20_000})
		if err != nil || results[0].Peer != peers.Ours {
			t.Fatalf("got %v, %v", results, err)
		}
		if note := results[0].Note; !strings.HasPrefix(note, want) {
			t.Errorf("%s: ours makes %s, want %s and a fraction", row.Name, note, want)
		}
	}
}

func TestMeasureStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, row := range caches.Rows() {
		if _, err := row.Measure(ctx, caches.Config{Rounds: 1, Large: 100, Turn: 10, Slow: 1}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", row.Name, err)
		}
	}
}

func result(peer peers.Name, note string, samples ...float64) caches.Result {
	return caches.Result{Peer: peer, Samples: samples, Note: note}
}

func TestTable(t *testing.T) {
	rows := []caches.Measured{
		{Row: caches.Row{Name: "hit", Unit: "ns", Digits: 1}, Results: []caches.Result{
			result(peers.Ours, "", 6), result(peers.OtterName, "2.0 allocs", 15),
		}},
		{Row: caches.Row{Name: "p99", Unit: "×", Digits: 2}, Results: []caches.Result{result(peers.Ours, "", 1.2)}},
	}
	var b strings.Builder
	if err := caches.WriteTable(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| hit, ns | **6.0** | 15.0 (2.50); 2.0 allocs | – |", "\n| p99, × | 1.20 | – |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("want %q in\n%s", want, b.String())
		}
	}
}

// Each demand is met by a cache that is as fast as every other and not by one that is three times as slow.
func TestDemands(t *testing.T) {
	for _, slow := range []float64{1, 3} {
		var rows []caches.Measured
		for _, row := range caches.Rows() {
			note := ""
			if slow > 1 {
				note = "9.0 allocs"
			}
			m := caches.Measured{Row: row, Results: []caches.Result{result(peers.Ours, note, slow, slow, slow)}}
			for _, name := range peers.All()[1:] {
				m.Results = append(m.Results, result(name, "", 1, 1, 1))
			}
			rows = append(rows, m)
		}
		for _, d := range caches.Demands() {
			if said, ok := d.Met(rows); ok != (slow == 1) || said == "" {
				t.Errorf("%s: met is %v (%s) for a cache with %v times the cost", d.Text, ok, said, slow)
			}
		}
	}
}

func TestHistogram(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 31, 32, 63, 64, 1000, 123_456, time.Second, time.Hour} {
		low, high := caches.Bounds(d)
		if low > d || d >= high || d >= 64 && float64(high-low) > float64(d)/16 {
			t.Errorf("%d ns are in the class from %d to %d", d, low, high)
		}
	}
	var h caches.Histogram
	for d := range time.Duration(1000) {
		h.Count(d * time.Microsecond)
	}
	for p, want := range map[float64]time.Duration{0: 1, 0.5: 500 * time.Microsecond, 0.99: 990 * time.Microsecond} {
		if got := h.Percentile(p); got > max(want, 1) || float64(got) < 0.96*float64(want) {
			t.Errorf("percentile %v is %v, want about %v", p, got, want)
		}
	}
}
