package strategies

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench"
	"github.com/jacquard-go/jacquard/bench/figures"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/plug"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
)

var (
	first  = stage{column: 0}
	second = stage{column: 1}
	third  = stage{column: 2}
)

// rowOf returns a row with one seed. A negative number means that the bug was not found in
// that many schedules.
func rowOf(schedules ...int) row {
	r := row{bug: bug{group: "group", name: "name"}}
	for _, n := range schedules {
		r.samples = append(r.samples, []figures.Sample{{Found: n > 0, Schedules: max(n, -n)}})
	}
	return r
}

func TestSequenceNeeds(t *testing.T) {
	p := plan{stages: []stage{first, second, third}, each: 10}
	for _, c := range []struct {
		row  row
		want int
	}{
		{rowOf(7, 1, 1), 7},
		{rowOf(10, 1, 1), 10},
		{rowOf(11, 4, 1), 14},
		{rowOf(11, 11, 30), 50},
		{rowOf(11, 11, 80), 100},
		{rowOf(11, 11, 81), figures.Never},
		{rowOf(-4, 4, 1), 8},    // the first stage has only 4 schedules
		{rowOf(11, -3, 80), 93}, // the second stage has only 3
		{rowOf(-100, -100, -100), figures.Never},
	} {
		if got := p.needs(c.row, 0, 100); got != c.want {
			t.Errorf("%v: got %d, want %d", c.row.samples, got, c.want)
		}
	}
}

func TestInterleavingNeeds(t *testing.T) {
	p := plan{stages: []stage{first, second, third}, interleaved: true}
	for _, c := range []struct {
		row  row
		want int
	}{
		{rowOf(1, 1, 1), 1},
		{rowOf(5, 1, 9), 2},
		{rowOf(5, 2, 9), 5},
		{rowOf(5, 9, 2), 6},
		{rowOf(5, 9, -1), 4*2 + 1 + 1}, // the third stage has only one schedule
		{rowOf(-1, -1, 9), 2 + 9},
		{rowOf(50, 50, 50), figures.Never}, // 148
		{rowOf(-100, -100, -100), figures.Never},
	} {
		if got := p.needs(c.row, 0, 100); got != c.want {
			t.Errorf("%v: got %d, want %d", c.row.samples, got, c.want)
		}
	}
}

// Plans that find everything rank before plans that are fast on average.
func TestRank(t *testing.T) {
	rows := []row{rowOf(1, 40, 50), rowOf(1, 40, 50), rowOf(-100, 40, 40)}
	scores := rank([]plan{{stages: []stage{first}}, {stages: []stage{second}}, {stages: []stage{third}}}, rows, 100)
	var order []stage
	for _, s := range scores {
		order = append(order, s.stages[0])
	}
	if !slices.Equal(order, []stage{second, third, first}) {
		t.Errorf("got order %v, want second, third, first", order)
	}
	if s := scores[2]; s.missed != 1 || s.mean != 34 || s.median != 1 || s.most != figures.Never {
		t.Errorf("got %+v, want 1 missed, mean 34, median 1, most never", s)
	}
}

// Of plans that are about equally fast, choose takes the one with the best worst case. It
// takes none that misses more or is slower.
func TestChoose(t *testing.T) {
	plans := []score{
		{missed: 0, mean: 10, most: 900},
		{missed: 0, mean: 10.9, most: 300},
		{missed: 0, mean: 11.1, most: 100},
		{missed: 1, mean: 5, most: figures.Never},
	}
	if got := choose(plans); got.most != 300 {
		t.Errorf("got %+v, want %+v", got, plans[1])
	}
}

func TestArrangements(t *testing.T) {
	const want = 8 + 8*7 + 8*7*6
	if got := len(arrangements(eight(), 3)); got != want {
		t.Errorf("got %d arrangements of 8 strategies, want %d", got, want)
	}
}

// eight returns the stages of eight columns.
func eight() []stage {
	var all []stage
	for i := range 8 {
		all = append(all, stage{column: i})
	}
	return all
}

// Every strategy has a column, also one from outside this module.
func TestColumns(t *testing.T) {
	var got []string
	for _, c := range columns([]func() explore.Strategy{plug.New}) {
		got = append(got, c.name)
	}
	want := []string{"random", "pct 1–6", "pos", "surw", "directed", "guided", "dfs ≤ 2", "dpor", "pct 3", "odometer", "default plan"}
	if !slices.Equal(got, want) {
		t.Errorf("got columns %q, want %q", got, want)
	}
}

// A violation that is not the bug's is an error, and does not count as found.
func TestOtherBug(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	all := known()
	b := all[slices.IndexFunc(all, func(b bug) bool { return b.String() == "classic: lost wake-up" })]
	if s, err := b.search(t.Context(), 1, nil, only(explore.RandomWalk)(1000)); err != nil || !s.Found {
		t.Fatalf("got %v, %v, want the bug", s, err)
	}
	b.right = func(k explore.Kind) bool { return k == explore.KindLeak }
	_, err := b.search(t.Context(), 1, nil, only(explore.RandomWalk)(1000))
	if err == nil || !strings.Contains(err.Error(), "want the bug or none") {
		t.Errorf("got %v, want an error", err)
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{"-seeds", "0"}, {"-limit", "0"}, {"more"}, {"-unknown"}, {"-only", "no such bug"}} {
		if got := commandtest.Execute(t, Command(bench.Program), args...); got.Code != command.ExitError {
			t.Errorf("%q: got code %d, want %d", args, got.Code, command.ExitError)
		}
	}
}

// The whole command runs on one bug, with a strategy from outside this module.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	const program = "github.com/jacquard-go/jacquard/bench/strategies/outside"
	got := commandtest.Execute(t, Command(program, plug.New), "-seeds", "2", "-limit", "50", "-only", "classic: double close", "-commit", "abc", "-o", file)
	if got.Code != command.ExitOK {
		t.Fatal(got.Errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Schedules to bug", "Commit abc, go1.", "| odometer | default plan |", "| classic | double close | ", "## Which plan", "the smallest worst case decides:\n**"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("got no %q in the page:\n%s", want, text)
		}
	}
}
