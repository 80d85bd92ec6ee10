package main

import (
	"strings"
	"testing"
)

const output = `goos: linux
goarch: amd64
cpu: A processor
BenchmarkPull      	 1000000	        80.00 cpu-ns/op
BenchmarkControl-2 	  500000	       100.0 cpu-ns/op	       3 other/op
BenchmarkExecution 	     100	  1.2e+04 cpu-ns/op
BenchmarkSkipped
PASS
`

func TestRead(t *testing.T) {
	head, all := read(output, "no race detector")
	if want := "goos: linux\ngoarch: amd64\ncpu: A processor\n"; head != want {
		t.Errorf("got head %q, want %q", head, want)
	}
	var lines []string
	for _, f := range all {
		lines = append(lines, f.String())
	}
	want := "BenchmarkPull/no_race_detector \t1000000\t80 cpu-ns/op\n" +
		"BenchmarkControl/no_race_detector \t500000\t100 cpu-ns/op\n" +
		"BenchmarkExecution/no_race_detector \t100\t1.2e+04 cpu-ns/op"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Medians are each build's own, and so is what they are compared with.
func TestTable(t *testing.T) {
	var all []figure
	for i, b := range builds {
		for _, ns := range []float64{90, 400, 110} {
			all = append(all, figure{build: b.name, benchmark: "Control", ns: ns * float64(i+1)})
		}
		all = append(all, figure{build: b.name, benchmark: "Pull", ns: 50}, figure{build: b.name, benchmark: "Execution", ns: 8000})
	}
	got := table(all)
	for _, want := range []string{
		"| step without the explorer | 110 ns | 2.20 | 220 ns | 4.40 |",
		"| execution of a small body | 8.0 µs: 125000 a second | | 8.0 µs: 125000 a second | |",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("got\n%s\nwant the row %s", got, want)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{"-rounds", "0"}, {"-time", "0s"}, {"more"}, {"-none"}} {
		if err := run(t.Context(), args, &strings.Builder{}, &strings.Builder{}); err == nil {
			t.Errorf("%q: got no error", args)
		}
	}
}
