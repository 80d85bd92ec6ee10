package stress_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// Every litmus test on ours has only outcomes that its table permits.
func TestLitmus(t *testing.T) {
	for _, row := range stress.Rows() {
		if len(row.Litmus) == 0 {
			continue
		}
		row.Race.Cells = []races.Cell{{ID: row.Race.ID + "/ours", Column: races.Ours}} // inProcess uses the first cell
		r := inProcess(t, row, stress.LitmusCampaign, time.Second)
		if !r.Clean() || r.Symptoms() > 0 || total(r.Outcomes) != r.Rounds {
			t.Errorf("%s: got %+v, want it clean", row.Race.ID, r)
		}
		tests := make(map[string]bool)
		for _, o := range r.Outcomes {
			tests[o.Test] = true
		}
		if len(tests) != len(row.Litmus) {
			t.Errorf("%s: got outcomes of %d tests, want those of %d", row.Race.ID, len(tests), len(row.Litmus))
		}
	}
}

// Each litmus test runs at least one round, even if the time is over before its turn.
func TestNoLitmusTestIsLeftOut(t *testing.T) {
	row := stress.Row{Race: races.Race{ID: "LX", Cells: []races.Cell{{ID: "LX/ours", Column: races.Ours}}}}
	for _, name := range []string{"first", "second", "third"} {
		row.Litmus = append(row.Litmus, stress.NewLitmus(name, "one", stress.Outcome{What: "one", Grade: stress.Acceptable}))
	}
	if r := inProcess(t, row, stress.LitmusCampaign, 1); len(r.Outcomes) != len(row.Litmus) || total(r.Outcomes) != r.Rounds {
		t.Errorf("got %+v, want an outcome of each of %d tests", r, len(row.Litmus))
	}
}

// An outcome that is not in the table of its litmus test is forbidden. Others have the table's grade.
func TestWhatIsNotInTheTableIsForbidden(t *testing.T) {
	for what, want := range map[string]stress.Grade{"one": stress.Acceptable, "two": stress.Forbidden} {
		row := stress.Row{
			Race:   races.Race{ID: "LX", Cells: []races.Cell{{ID: "LX/ours", Column: races.Ours}}},
			Litmus: []stress.Litmus{stress.NewLitmus("trial", what, stress.Outcome{What: "one", Grade: stress.Acceptable})},
		}
		r := inProcess(t, row, stress.LitmusCampaign, 1)
		if len(r.Outcomes) != 1 || r.Outcomes[0].Grade != want || r.Clean() != (want == stress.Acceptable) {
			t.Errorf("%s: got %+v, want it %s", what, r, want)
		}
	}
}

// The crashes of a specimen, which is restarted after each, are counted. Ours is not restarted.
func TestCrashesAreCounted(t *testing.T) {
	cfg := config(t, worker, planted())
	cfg.Time = time.Second
	for again, most := range map[bool]int64{true: 1 << 40, false: 1} {
		r, err := stress.RunAgain(t.Context(), cfg, "panic/ours", again)
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Symptoms(); n < 1 || n > most || r.Rounds < n || len(r.Findings) == 0 {
			t.Errorf("again %t: got %d crashes in %d rounds, %+v, want from 1 to %d", again, n, r.Rounds, r.Findings, most)
		}
	}
}

// report returns a report of a row. Its specimen fails once in needs rounds, and ours ran ran rounds.
func report(needs, ran int64) *stress.Report {
	specimen := stress.Result{Subject: "R2/reported", Campaign: stress.BodyCampaign, Rounds: 100}
	if needs > 0 {
		specimen.Outcomes = []stress.Outcome{{What: "lost", Grade: stress.Forbidden, Count: 100 / needs}}
	}
	return &stress.Report{Races: []stress.RaceReport{{
		ID: "R2", Specimen: true, Ours: []stress.Result{{Subject: "R2/ours", Campaign: stress.BodyCampaign, Rounds: ran}}, Specimens: []stress.Result{specimen},
	}}}
}

// Ours ran enough if it ran ten times as many rounds as the specimen needed.
func TestEnough(t *testing.T) {
	for name, test := range map[string]struct {
		reports []*stress.Report
		needed  int64
		enough  bool
	}{
		"enough":              {[]*stress.Report{report(4, 40)}, 4, true},
		"one too few":         {[]*stress.Report{report(4, 39)}, 4, false},
		"never met":           {[]*stress.Report{report(0, 1<<40)}, 0, false},
		"enough in two parts": {[]*stress.Report{report(4, 20), report(4, 20)}, 4, true},
		"in other shards":     {[]*stress.Report{without(report(4, 1<<40))}, 0, false},
	} {
		r, err := stress.Merge(test.reports...)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Races[0]; got.Needed != test.needed || got.Enough != test.enough || !got.Clean {
			t.Errorf("%s: got %+v, want %d rounds needed, enough %t", name, got, test.needed, test.enough)
		}
	}
	for _, wrong := range [][]*stress.Report{nil, {report(1, 1), {}}} {
		if _, err := stress.Merge(wrong...); !errors.Is(err, stress.ErrMerge) {
			t.Errorf("got %v, want %v", err, stress.ErrMerge)
		}
	}
}

// without returns r as the report of a shard that did not run the specimen.
func without(r *stress.Report) *stress.Report {
	r.Races[0].Specimens = nil
	return r
}

// A run that did not find a race uses the figure of an earlier night. The run's own figure comes first.
func TestEnoughByTheLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nights.json")
	for range 2 {
		nights, err := stress.ReadNights(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := append(nights, report(50, 7).Night("a night")).Write(path); err != nil {
			t.Fatal(err)
		}
	}
	nights, err := stress.ReadNights(path)
	if err != nil || len(nights) != 2 || nights.Needed("R2") != 50 || nights.Needed("R3") != 0 {
		t.Fatalf("got %+v, %v, want two nights in which R2 needed 50 rounds", nights, err)
	}
	for name, test := range map[string]struct {
		report *stress.Report
		want   stress.RaceReport
	}{
		"never met":  {report(0, 500), stress.RaceReport{Needed: 50, Recorded: true, Enough: true}},
		"too few":    {report(0, 499), stress.RaceReport{Needed: 50, Recorded: true}},
		"its own":    {report(4, 40), stress.RaceReport{Needed: 4, Enough: true}},
		"not run":    {without(report(4, 500)), stress.RaceReport{Needed: 50, Recorded: true, Enough: true}},
		"other race": {&stress.Report{Races: []stress.RaceReport{{ID: "R3", Specimen: true}}}, stress.RaceReport{}},
	} {
		test.report.Weigh(nights)
		if got := test.report.Races[0]; got.Needed != test.want.Needed || got.Recorded != test.want.Recorded || got.Enough != test.want.Enough {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
	if err := os.WriteFile(path, []byte("nails"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := stress.ReadNights(path); !errors.Is(err, stress.ErrNights) {
		t.Errorf("got %v, want %v", err, stress.ErrNights)
	}
	if err := nights.Write("/no/such/folder/nights.json"); !errors.Is(err, stress.ErrNights) {
		t.Errorf("got %v, want %v", err, stress.ErrNights)
	}
}

// A merged report is interrupted if a shard is missing.
func TestMissingShard(t *testing.T) {
	part := func(shard string) *stress.Report {
		r := report(4, 40)
		r.Shard = shard
		return r
	}
	for name, test := range map[string]struct {
		reports []*stress.Report
		want    bool
	}{
		"all":         {[]*stress.Report{part("1/2"), part("2/2")}, false},
		"all, wholes": {[]*stress.Report{part(""), part("")}, false},
		"one missing": {[]*stress.Report{part("1/2"), part("1/2")}, true},
	} {
		if r, err := stress.Merge(test.reports...); err != nil || r.Interrupted != test.want || r.Shard != "" {
			t.Errorf("%s: got %+v, %v, want interrupted %t", name, r, err, test.want)
		}
	}
}

// Campaigns are selected by name. The error for a name that matches none lists all names.
func TestChosen(t *testing.T) {
	some, err := stress.Plan(stress.Config{Run: regexp.MustCompile(`^R[24]/.* body$`)})
	if err != nil || len(some) != 6 {
		t.Fatalf("got %v, %v, want the bodies of R2 and R4 in three columns", some, err)
	}
	seconds := 0.0
	for _, s := range some {
		seconds += s.Seconds
	}
	if seconds < 29.9 || seconds > 30.1 {
		t.Errorf("got %v s, want the whole time, 30", seconds)
	}
	_, err = stress.Run(t.Context(), stress.Config{Run: regexp.MustCompile(`R99`)})
	if !errors.Is(err, stress.ErrConfig) || !strings.Contains(err.Error(), `no campaign matches "R99"`) || !strings.Contains(err.Error(), "\n  R4/suggested body\n") {
		t.Errorf("got %v, want an error that lists all names", err)
	}
}

// An interrupted run continues where it stopped, but only with the same command.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	cfg := config(t, worker, planted()[:2])
	cfg.State = filepath.Join(dir, "state.json")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cfg.Progress = func(done, _ int, _ string) {
		if done == 1 {
			cancel()
		}
	}
	first, err := stress.Run(ctx, cfg)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want %v", err, context.Canceled)
	}
	other := cfg
	other.Seed = 77
	if _, err := stress.Run(t.Context(), other); !errors.Is(err, stress.ErrState) || !strings.Contains(err.Error(), "got seed 77, ") {
		t.Errorf("got %v, want %v with what differs", err, stress.ErrState)
	}
	var ran []int
	cfg.Progress = func(done, _ int, _ string) { ran = append(ran, done) }
	second, err := stress.Run(t.Context(), cfg)
	if err != nil || second.Interrupted || !reflect.DeepEqual(second.Races[0].Ours, first.Races[0].Ours) || len(second.Races[1].Ours) != 1 {
		t.Errorf("got %+v, %v, want the first campaign unchanged, and the second", second, err)
	}
	if !slices.Equal(ran, []int{1}) {
		t.Errorf("got campaigns %v, want only the second", ran)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v, want no file left of a finished run", left, err)
	}
	if err := os.WriteFile(cfg.State, []byte("nails"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := stress.Run(t.Context(), cfg); !errors.Is(err, stress.ErrState) {
		t.Errorf("got %v, want %v", err, stress.ErrState)
	}
}

// Samples of the pace are joined from all processes in order, and their number is bounded.
func TestPace(t *testing.T) {
	r, err := stress.RunAgain(t.Context(), config(t, worker, planted()), "panic/ours", false)
	if err != nil || len(r.Pace) == 0 || r.Pace[len(r.Pace)-1].Rounds != r.Rounds {
		t.Errorf("got %+v, %v, want a pace that ends with the last round", r, err)
	}
	one := report(4, 1)
	one.Races[0].Ours[0].Pace = []stress.Pace{{Seconds: 1, Rounds: 1}}
	var many []*stress.Report
	for range 1000 {
		many = append(many, one)
	}
	all, err := stress.Merge(many...)
	if err != nil {
		t.Fatal(err)
	}
	pace := all.Races[0].Ours[0].Pace
	if n := len(pace); n < 40 || n > 80 || pace[n-1] != (stress.Pace{Seconds: 1000, Rounds: 1000}) {
		t.Errorf("got %d samples, the last %v, want 40 to 80, the last of 1000 s and 1000 rounds", n, pace[n-1])
	}
}

// The shards have each campaign once in all, and each shard has the whole time.
func TestShards(t *testing.T) {
	whole, err := stress.Plan(stress.Config{})
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for shard := 1; shard <= 5; shard++ {
		part, err := stress.Plan(stress.Config{Shard: shard, Shards: 5})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, s := range part {
			count[s.Subject+s.Campaign]++
			sum += s.Seconds
		}
		if sum < 29.9 || sum > 30.1 {
			t.Errorf("shard %d: got %v s, want 30", shard, sum)
		}
	}
	want := make(map[string]int)
	for _, s := range whole {
		want[s.Subject+s.Campaign] = 1
	}
	if !reflect.DeepEqual(count, want) {
		t.Errorf("got %v, want each of %d campaigns once", count, len(want))
	}
	if _, err := stress.Plan(stress.Config{Shard: 6, Shards: 5}); !errors.Is(err, stress.ErrConfig) {
		t.Errorf("got %v, want %v", err, stress.ErrConfig)
	}
}

// An interrupted run reports the campaigns that have finished.
func TestInterruptedReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cfg := config(t, worker, planted()[:2])
	cfg.Progress = func(done, _ int, _ string) {
		if done == 1 {
			cancel()
		}
	}
	r, err := stress.Run(ctx, cfg)
	if !errors.Is(err, context.Canceled) || r == nil || !r.Interrupted || len(r.Races[0].Ours) != 1 || len(r.Races[1].Ours) != 0 {
		t.Errorf("got %+v, %v, want the first campaign, and interrupted", r, err)
	}
}
