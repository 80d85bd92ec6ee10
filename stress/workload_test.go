package stress_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// workloadsOf returns the workloads of a row.
func workloadsOf(t *testing.T, id string) []stress.Workload {
	t.Helper()
	rows := stress.Rows()
	return rows[slices.IndexFunc(rows, func(r stress.Row) bool { return r.Race.ID == id })].Workloads
}

// meet runs a workload for a time, or until it fails.
func meet(t *testing.T, c stress.Workload, length time.Duration) stress.Result {
	t.Helper()
	row := plant("workload", nil)
	row.Workloads = []stress.Workload{c}
	return inProcess(t, row, c.Name, length)
}

// enough is the time in which a workload must find its fault. It needs one or two rounds,
// but the machine may be busy.
const enough = 10 * time.Minute

// Every workload is clean on package lifecycle.
func TestWorkloads(t *testing.T) {
	for _, row := range stress.Rows() {
		for _, c := range row.Workloads {
			if r := meet(t, c, 0); !r.Clean() || r.Operations < 10 || r.Rounds != 1 {
				t.Errorf("%s, %s: got %+v, want one clean round", row.Race.ID, c.Name, r)
			}
		}
	}
}

// Each double has one fault, which the workload must find.
func TestWorkloadsFindWhatIsWrong(t *testing.T) {
	for row, doubles := range map[string]map[string]func(stress.Service) stress.Service{
		"R2": {
			"nothing works": broken,
			"both are told that they have created it":   func(s stress.Service) stress.Service { return &generous{Service: s} },
			"nobody is told that he has created it":     func(s stress.Service) stress.Service { return &stingy{Service: s} },
			"the loser's error is another":              func(s stress.Service) stress.Service { return &mumbling{Service: s} },
			"an action is missing from the listing":     func(s stress.Service) stress.Service { return &forgetful{Service: s} },
			"the last one to create it has overwritten": func(s stress.Service) stress.Service { return &overwriting{Service: s} },
		},
		"R3": {
			"nothing works":                          broken,
			"a plan is missing from the listings":    func(s stress.Service) stress.Service { return &forgetful{Service: s} },
			"the listings are torn":                  func(s stress.Service) stress.Service { return &tearing{Service: s} },
			"a plan is there twice":                  func(s stress.Service) stress.Service { return &doubling{Service: s} },
			"a plan that was returned is not stored": func(s stress.Service) stress.Service { return &losing{Service: s} },
		},
		"R4": {
			"nothing works":                             broken,
			"changesets do not start":                   func(s stress.Service) stress.Service { return &unstarted{Service: s} },
			"the recorder is told another changeset":    func(s stress.Service) stress.Service { return &misleading{Service: s} },
			"a change that is refused is recorded":      func(s stress.Service) stress.Service { return &late{Service: s} },
			"a changeset that is listed gets an entry":  func(s stress.Service) stress.Service { return &early{Service: s} },
			"a changeset that was started is not there": func(s stress.Service) stress.Service { return &unlisted{Service: s} },
		},
		"R5": {
			"changesets do not start":                 func(s stress.Service) stress.Service { return &unstarted{Service: s} },
			"a change is lost without an error":       func(s stress.Service) stress.Service { return &silent{Service: s} },
			"the error is another":                    func(s stress.Service) stress.Service { return &mumbling{Service: s} },
			"a finished changeset gets another entry": func(s stress.Service) stress.Service { return &early{Service: s} },
		},
		"R6": {
			"nothing works":                   broken,
			"the plan is not listed":          func(s stress.Service) stress.Service { return &empty{Service: s} },
			"a plan is read once and for all": func(s stress.Service) stress.Service { return &caching{Service: s, plans: new(sync.Map)} },
			"a listing is old":                func(s stress.Service) stress.Service { return &laggard{Service: s} },
		},
		"R7": {
			"nothing works":                    broken,
			"the plan is elsewhere":            func(s stress.Service) stress.Service { return &elsewhere{Service: s} },
			"both are told that they have won": func(s stress.Service) stress.Service { return &generous{Service: s} },
			"the loser is not told to what":    func(s stress.Service) stress.Service { return &mumbling{Service: s} },
			"nobody wins":                      func(s stress.Service) stress.Service { return &stingy{Service: s} },
		},
	} {
		for _, c := range workloadsOf(t, row) {
			for what, double := range doubles {
				r := meet(t, stress.WithServices(c, double), enough)
				if f, ok := r.Met(); !ok || f.Kind != races.KindCheck || r.Clean() || r.Trouble != "" {
					t.Errorf("%s, %s: %s: got %+v, want a failed check", row, c.Name, what, r)
				}
			}
		}
	}
}

func TestEngineWorkloadFindsWhatIsWrong(t *testing.T) {
	for what, double := range map[string]func(stress.EngineSource) stress.EngineSource{
		"there are two engines": newTwin,
		"one caller gets none":  func(e stress.EngineSource) stress.EngineSource { return &refusing{EngineSource: e} },
		"it cannot be closed":   func(e stress.EngineSource) stress.EngineSource { return &stuck{EngineSource: e} },
	} {
		r := meet(t, stress.WithEngines(workloadsOf(t, "R1")[0], double), enough)
		if f, ok := r.Met(); !ok || f.Kind != races.KindCheck || r.Clean() {
			t.Errorf("%s: got %+v, want a failed check", what, r)
		}
	}
}

// A workload whose setup fails reports trouble and no finding.
func TestNoGround(t *testing.T) {
	c := stress.WithServices(workloadsOf(t, "R6")[0], func(s stress.Service) stress.Service { return &useless{Service: s} })
	if r := meet(t, c, enough); r.Clean() || len(r.Findings) > 0 || !strings.HasPrefix(r.Trouble, "set-up: ") {
		t.Errorf("got %+v, want trouble", r)
	}
}
