package measure_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
)

func TestMedian(t *testing.T) {
	for want, samples := range map[float64][]float64{3: {9, 3, 1}, 2.5: {4, 1, 2, 3}, 7: {7}} {
		if got := measure.Median(samples); got != want {
			t.Errorf("%v: got %v, want %v", samples, got, want)
		}
	}
	if got := measure.Median(nil); !math.IsNaN(got) {
		t.Errorf("got %v as the median of nothing, want NaN", got)
	}
}

// A ratio is computed for each round, so a round in which everything was slow does
// not change it.
func TestRatio(t *testing.T) {
	if got := measure.Ratio([]float64{1, 100, 2}, []float64{2, 200, 4, 1}); got != 0.5 {
		t.Errorf("got %v, want 0.5", got)
	}
	if got := measure.Ratio([]float64{1}, nil); !math.IsNaN(got) {
		t.Errorf("got %v, want NaN", got)
	}
}

func TestInterleave(t *testing.T) {
	var turns strings.Builder
	note := func(round, lane int) error {
		fmt.Fprintf(&turns, "%d%c ", round, 'a'+lane)
		return nil
	}
	if err := measure.Interleave(t.Context(), 3, 3, note); err != nil {
		t.Fatal(err)
	}
	if got, want := turns.String(), "0a 0b 0c 1b 1c 1a 2c 2a 2b "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	failure := errors.New("failed")
	if err := measure.Interleave(t.Context(), 3, 3, func(int, int) error { return failure }); err != failure {
		t.Errorf("got %v, want %v", err, failure)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := measure.Interleave(ctx, 1, 1, note); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

const output = `goos: linux
goarch: amd64
cpu: A processor
BenchmarkPull      	 1000000	        80.00 cpu-ns/op
BenchmarkGet/some-where/a-2 	  500000	       100.0 ns/op	       3 B/op	1.2e+04 allocs/op
BenchmarkSkipped
BenchmarkBroken-2 	  500000	       what ns/op
BenchmarkHalf-2 	  500000	       1 ns/op 2
PASS
`

func TestFigures(t *testing.T) {
	head, all := measure.Figures(output)
	if want := "goos: linux\ngoarch: amd64\ncpu: A processor\n"; head != want {
		t.Errorf("got head %q, want %q", head, want)
	}
	var lines []string
	for _, f := range all {
		lines = append(lines, f.String())
	}
	want := "BenchmarkPull \t1000000\t80 cpu-ns/op\nBenchmarkGet/some-where/a \t500000\t100 ns/op\t3 B/op\t1.2e+04 allocs/op"
	if got := strings.Join(lines, "\n"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	if n, ok := all[1].In("B/op"); n != 3 || !ok {
		t.Errorf("got %v, %v, want 3 B/op", n, ok)
	}
	if n, ok := all[0].In("B/op"); ok {
		t.Errorf("got %v B/op, want none", n)
	}
}

func TestPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	place := measure.Place{Begin: "<!-- a -->", End: "<!-- z -->"}
	write("before\n<!-- a -->\nold\n<!-- z -->\nafter\n")
	if err := (measure.Page{File: file}).WriteInto(place, io.Discard, "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if want := "before\n<!-- a -->\nnew\n<!-- z -->\nafter\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, text := range []string{"", "<!-- a -->\n", "<!-- z -->\n<!-- a -->\n"} {
		write(text)
		if err := (measure.Page{File: file}).WriteInto(place, io.Discard, "new\n"); !errors.Is(err, measure.ErrNoPlace) {
			t.Errorf("%q: got %v, want ErrNoPlace", text, err)
		}
	}
	if err := (measure.Page{File: file + ".none"}).WriteInto(place, io.Discard, ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want ErrNotExist", err)
	}
}

// A page says what it measures, and the command that makes it again: words that a shell
// would split are quoted, and flags that were not set are omitted.
func TestMade(t *testing.T) {
	var p measure.Page
	var seeds int
	var only string
	var whole, race bool
	parent, cmd := &cobra.Command{Use: "bench"}, &cobra.Command{Use: "goker", Run: func(*cobra.Command, []string) {}}
	cmd.Flags().IntVar(&seeds, "seeds", 10, "")
	cmd.Flags().StringVar(&only, "only", "", "")
	cmd.Flags().StringSlice("with", nil, "")
	cmd.Flags().BoolVar(&whole, "whole", false, "")
	cmd.Flags().BoolVar(&race, "race", false, "")
	p.Flags(cmd)
	parent.AddCommand(cmd)
	args := []string{"goker", "-seeds", "3", "-whole", "-only", "it's: one", "-with", "a,b", "-o", "../docs/goker.md", "G8"}
	if got := commandtest.Execute(t, parent, args...); got.Code != command.ExitOK {
		t.Fatal(got.Errs)
	}
	got := p.Made(t.Context(), "a note")
	for _, want := range []string{
		"Commit ", ", go1.", " processors, GOMAXPROCS ", ", 20", ", a note, by\n\n    cd bench && go run ./cmd/bench goker -seeds 3 -whole -only 'it'\\''s: one' -with a,b -o ../docs/goker.md G8\n\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	t.Setenv("PATH", "") // no git
	if got, want := new(measure.Page).Made(t.Context()), "Commit unknown, "; !strings.HasPrefix(got, want) {
		t.Errorf("got %q without git, want %q", got, want)
	}
}

func TestVerdict(t *testing.T) {
	if got, want := measure.Verdict("it is fast", true, "1 ns"), "- it is fast: yes (1 ns)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := measure.Verdict("it is fast", false, "1 h"), "- it is fast: **no** (1 h)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
