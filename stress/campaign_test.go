package stress_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// In a short run of all campaigns ours is clean, and its counts add up.
func TestShortRun(t *testing.T) {
	cfg := config(t, worker, stress.Rows())
	cfg.Time = 1500 * time.Millisecond
	plan, err := stress.Plan(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	cfg.Progress = func(done, of int, next string) {
		if done != len(said) || of != len(plan) {
			t.Errorf("got progress %d of %d, want %d of %d", done, of, len(said), len(plan))
		}
		said = append(said, next)
	}
	report, err := stress.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Clean || report.Seed != 1 || report.Time != "1.5s" || report.RaceDetector != stress.RaceDetector || len(said) != len(plan) {
		t.Errorf("got clean %v, seed %d, time %s, race detector %v, %d campaigns",
			report.Clean, report.Seed, report.Time, report.RaceDetector, len(said))
	}
	for i, race := range report.Races {
		for _, r := range race.Ours {
			if !r.Clean() || r.Operations == 0 || r.Operations != r.Successes+r.Conflicts || len(r.Sums) == 0 {
				t.Errorf("got %+v, want it clean, with operations that add up", r)
			}
		}
		rounds, counts := race.Total()
		if len(race.Ours) < 1 || rounds < int64(len(race.Ours)) || counts.Operations < rounds {
			t.Errorf("%s: got %d campaigns, %d rounds, %+v, want at least one of each", race.ID, len(race.Ours), rounds, counts)
		}
		if row := stress.Rows()[i].Race; race.ID != row.ID || len(race.Specimens) != max(0, len(row.Cells)-1) {
			t.Errorf("got row %s with %d specimens, want %s with all but ours of %d cells", race.ID, len(race.Specimens), row.ID, len(row.Cells))
		}
		for _, r := range race.Specimens {
			if r.Rounds < 1 || r.Trouble != "" {
				t.Errorf("got %+v, want rounds and no trouble", r)
			}
		}
	}
}

// The campaign times add up: two thirds of the whole time for ours, a third for the specimens.
func TestShares(t *testing.T) {
	shares, err := stress.Plan(stress.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ours, specimens := 0.0, 0.0
	for _, s := range shares {
		if s.Seconds < 0.3 {
			t.Errorf("%s, %s: got %v s, want at least 0.3", s.Subject, s.Campaign, s.Seconds)
		}
		if strings.HasSuffix(s.Subject, "/ours") {
			ours += s.Seconds
		} else {
			specimens += s.Seconds
		}
	}
	if math.Abs(ours-20) > 0.001 || math.Abs(specimens-10) > 0.001 {
		t.Errorf("got %v s for ours and %v s for the specimens, want 20 and 10", ours, specimens)
	}
	slices.SortFunc(shares, func(a, b stress.Share) int { return strings.Compare(a.Subject+a.Campaign, b.Subject+b.Campaign) })
	all := len(shares)
	if len(slices.CompactFunc(shares, func(a, b stress.Share) bool { return a.Subject == b.Subject && a.Campaign == b.Campaign })) != all {
		t.Errorf("got %v, want %d different campaigns", shares, all)
	}
}

func TestBadConfig(t *testing.T) {
	for want, cfg := range map[string]stress.Config{
		"Time: got -1s": {Time: -time.Second}, "Stall: got -1s": {Stall: -time.Second}, "StartUp: got -1s": {StartUp: -time.Second},
	} {
		if _, err := stress.Run(t.Context(), cfg); !errors.Is(err, stress.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ErrConfig with %q", err, want)
		}
	}
	if _, err := stress.Run(t.Context(), stress.Config{Command: []string{"/no/such/program"}}); err == nil || !strings.Contains(err.Error(), "start a child") {
		t.Errorf("got %v, want an error about the child", err)
	}
	t.Setenv("TMPDIR", "/no/such/folder")
	if _, err := stress.Run(t.Context(), stress.Config{}); err == nil {
		t.Error("got no error without a folder for temporary files, want one")
	}
}

func TestBadJobs(t *testing.T) {
	for job, want := range map[string]string{
		"":      "read a job",
		"{}":    "unknown race",
		"nails": "read a job",
		`{"subject": "R9/ours", "campaign": "body"}`:         "unknown race",
		`{"subject": "R4/ours", "campaign": "workload"}`:     "unknown race",
		`{"subject": "canary/parrot", "campaign": "body"}`:   "unknown race",
		`{"subject": "R4/ours", "campaign": "body"}`:         "no such file or directory",
		`{"subject": "canary/atomic-cas", "campaign": "cr"}`: "unknown race",
	} {
		if strings.Contains(want, "no such") {
			job = strings.Replace(job, "{", `{"dir": "/no/such/folder", `, 1)
		}
		var out strings.Builder
		if err := stress.Work(t.Context(), nil, strings.NewReader(job), &out); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%q: got error %v and answer %q, want %q", job, err, &out, want)
		}
	}
}

// inProcess runs a campaign in this process.
func inProcess(t *testing.T, row stress.Row, campaign string, length time.Duration) stress.Result {
	t.Helper()
	job, err := json.Marshal(map[string]any{
		"subject": row.Race.Cells[0].ID, "campaign": campaign, "time": length, "stall": time.Minute, "seed": 1, "dir": t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := stress.Work(t.Context(), []stress.Row{row}, strings.NewReader(string(job)), &out); err != nil {
		t.Fatal(err)
	}
	var r stress.Result
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestResultIsCleanOnlyIfAllAddsUp(t *testing.T) {
	clean := func() stress.Result {
		return stress.Result{
			Rounds: 2, Counts: stress.Counts{Operations: 5, Successes: 3, Conflicts: 2},
			Sums: []stress.Sum{{What: "winners", Got: 3, Want: 3}},
		}
	}
	if r := clean(); !r.Clean() {
		t.Errorf("got %+v not clean, want it clean", r)
	}
	for what, spoil := range map[string]func(*stress.Result){
		"no rounds":           func(r *stress.Result) { r.Rounds = 0 },
		"a lost operation":    func(r *stress.Result) { r.Operations++ },
		"a success too many":  func(r *stress.Result) { r.Successes++ },
		"a conflict too many": func(r *stress.Result) { r.Conflicts++ },
		"a wrong sum":         func(r *stress.Result) { r.Sums[0].Got-- },
		"a finding":           func(r *stress.Result) { r.Findings = []stress.Finding{{Kind: races.KindCheck}} },
		"a forbidden outcome": func(r *stress.Result) {
			r.Outcomes = []stress.Outcome{{What: "lost", Grade: stress.Forbidden, Count: 1}}
		},
		"trouble": func(r *stress.Result) { r.Trouble = "no disk" },
	} {
		r := clean()
		if spoil(&r); r.Clean() {
			t.Errorf("%s: got %+v clean, want it not clean", what, r)
		}
	}
}

func TestWhatSaysMostIsMet(t *testing.T) {
	race, check := stress.Finding{Kind: races.KindRace, Round: 1}, stress.Finding{Kind: races.KindCheck, Round: 7}
	for _, test := range []struct {
		findings []stress.Finding
		want     stress.Finding
	}{
		{nil, stress.Finding{}}, {[]stress.Finding{race}, race}, {[]stress.Finding{race, check}, check}, {[]stress.Finding{check}, check},
	} {
		got, ok := stress.Result{Findings: test.findings}.Met()
		if got != test.want || ok != (len(test.findings) > 0) {
			t.Errorf("of %v: got %v, %v, want %v", test.findings, got, ok, test.want)
		}
	}
}
