package speed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
	"github.com/jacquard-go/jacquard/internal/cputime"
)

// made returns a figure in a unit.
func made(lane, benchmark, unit string, number float64) figure {
	return figure{lane, measure.Figure{Benchmark: benchmark, Turns: 1, Values: []measure.Value{{Number: number, Unit: unit}}}}
}

// The name of a figure contains its lane once.
func TestFigure(t *testing.T) {
	for want, f := range map[string]figure{
		"BenchmarkPull/no_race_detector \t1\t80 cpu-ns/op": made("no race detector", "Pull", "cpu-ns/op", 80),
		"BenchmarkGet/memory/recent \t1\t80 ns/op":         made("memory", "Get/memory/recent", "ns/op", 80),
	} {
		if got := f.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Each build has its own medians, and is compared with its own Pull.
func TestExplorerTable(t *testing.T) {
	var all figures
	for i, build := range builds {
		for _, ns := range []float64{90, 400, 110} {
			all = append(all, made(build, "Control", cputime.Unit, ns*float64(i+1)), made(build, "Pull", cputime.Unit, 50))
		}
		all = append(all, made(build, "Execution", cputime.Unit, 8000))
	}
	wantIn(t, explorerTable(all),
		"| step without the explorer | 110 ns | 2.20 | 220 ns | 4.40 |\n",
		"| execution of a small body | 8.0 µs: 125000 a second | | 8.0 µs: 125000 a second | |\n")
}

// A read is compared with the one without a cache of the same round and store;
// a store that was not measured meets anything.
func TestLifecycleTable(t *testing.T) {
	var all figures
	for round := range 3 {
		slow := float64(1 + 9*(round%2)) // a noise that affects a whole round
		for store, ratio := range map[string]float64{"sqlite_in_memory": 0.02, "sqlite_file": 0.3} {
			for level, ns := range map[string]float64{"default": 10_000 * ratio, "recent": 10_000 * ratio, "uncached": 10_000} {
				name := "GetPlan/" + store + "/" + level
				f := made(store, name, "ns/op", ns*slow)
				f.Values = append(f.Values, measure.Value{Number: ns * slow, Unit: cputime.Unit}, measure.Value{Number: 7, Unit: "allocs/op"})
				all = append(all, f)
			}
		}
	}
	all = append(all, made("memory", "TransitionContended/memory", "ns/transition", 2500))
	wantIn(t, lifecycleTable(all),
		"| get plan, the latest state | – | 200 ns (0.02); 7 allocs | 3.00 µs (0.3); 7 allocs | – |\n",
		"| get plan, without a cache | – | 10.0 µs; 7 allocs | 10.0 µs; 7 allocs | – |\n",
		"| transition that 4 goroutines a processor want | 2.50 µs: 400000 a second;",
		"at most a third, on SQLite: yes (sqlite_in_memory 0.020, sqlite_file 0.300)\n",
		"on SQLite and PostgreSQL: **no** (sqlite_in_memory 0.020, sqlite_file 0.300)\n")
}

func wantIn(t *testing.T, page string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(page, line) {
			t.Errorf("got\n%s\nwant %q in it", page, line)
		}
	}
}

func TestDuration(t *testing.T) {
	for want, ns := range map[string]float64{
		"7 ns": 7.2, "999 ns": 999.4, "1.00 µs": 999.6, "9.99 µs": 9994, "10.0 µs": 9996, "100 µs": 99_960, "1.50 ms": 1.5e6, "2.00 s": 2e9,
	} {
		if got := duration(ns); got != want {
			t.Errorf("%v: got %s, want %s", ns, got, want)
		}
	}
}

// The service is measured on the available stores, and the table is put into its
// place.
func TestLifecycle(t *testing.T) {
	document := filepath.Join(t.TempDir(), "BENCHMARKS.md")
	if err := os.WriteFile(document, []byte(lifecycle.place.Begin+"\nold\n"+lifecycle.place.End+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := commandtest.Execute(t, Command(), "lifecycle", "-rounds", "1", "-time", "1ns", "-o", document)
	if got.Code != command.ExitOK {
		t.Fatal(got.Errs)
	}
	page, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(page), lifecycle.place.Begin+"\n\nCommit ") || !strings.Contains(got.Out, "BenchmarkGetPlan/sqlite_file/recent \t") {
		t.Errorf("got\n%s\nin the document, of\n%s", page, got.Out)
	}
	for _, read := range lifecycleReads {
		wantIn(t, string(page), fmt.Sprintf("| %s, `Recent` | – | ", read.what))
	}
	if text := string(page); strings.Count(text, "–") != 2*len(lifecycleReads) && !strings.Contains(text, "PostgreSQL was not measured") {
		t.Errorf("got\n%s\nwant figures of all stores", text)
	}
	if strings.Contains(string(page), "NaN") {
		t.Errorf("got\n%s\nwant figures", page)
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{"nonsense"}, {"explore", "lifecycle"}, {"explore", "-rounds", "-1"}, {"lifecycle", "-time", "-1s"}, {"-none"}} {
		if got := commandtest.Execute(t, Command(), args...); got.Code != command.ExitError {
			t.Errorf("%q: got code %d, want %d", args, got.Code, command.ExitError)
		}
	}
}
