package steps

import (
	"context"
	"os"
	"strings"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// An Outcome is the result of running a scenario, in the form in which it is sent between
// processes.
type Outcome struct {
	Verdict string `json:"verdict"`           // the text of an explore.Verdict
	Kind    string `json:"kind,omitempty"`    // of a violation
	Message string `json:"message,omitempty"` // of a violation: what happened, in one line
	Summary string `json:"summary"`           // how it was found, or why nothing was
	Report  string `json:"report,omitempty"`  // of a violation: the schedule that shows it
}

// Holds reports whether no schedule failed.
func (o Outcome) Holds() bool { return o.Verdict == explore.Holds.String() }

// Violated reports whether a schedule failed.
func (o Outcome) Violated() bool { return o.Verdict == explore.Violated.String() }

// documented reports whether a violation is of a kind in which a documented
// race shows: a failed check, or a crash.
func (o Outcome) documented() bool {
	switch races.Kind(o.Kind) {
	case races.KindCheck, races.KindPanic, races.KindFatal:
		return o.Violated()
	}
	return false
}

// A RunFunc runs the script of a scenario. It may be called by several goroutines, and must return
// soon after its context is done. It returns an error if the script could not be run; an
// inconclusive run is an outcome.
type RunFunc func(ctx context.Context, s Script) (Outcome, error)

// seed is the seed of every exploration, so that each run of the features is the same.
const seed = 1

// Run is the [RunFunc] that runs a script in this process: under the explorer, which must control
// it (see explore.Controlled), or, if a caller is killed, with a process for each caller.
// Explorations of one process run one after the other.
func Run(ctx context.Context, s Script) (Outcome, error) {
	p, err := compile(s)
	if err != nil {
		return Outcome{}, err
	}
	prepared, err := p.prepared(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if p.kills() {
		return p.killing(ctx, s, prepared)
	}
	r, err := explore.Run(ctx, p.config(s), func(t *explore.T) {
		if err := p.play(t, prepared); err != nil {
			t.Inconclusive("%v", err)
		}
	})
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Verdict: r.Verdict.String(), Summary: r.Summary()}
	if r.Failure != nil {
		o.Kind, o.Message = string(r.Failure.Of), r.Failure.Message
		var report strings.Builder
		err = timeline.Text(&report, r.Failure.Timeline, timeline.Options{})
		o.Report = report.String()
	}
	return o, err
}

// prepared returns the file with which each execution begins, or nil if there is none.
func (p *plot) prepared(ctx context.Context) ([]byte, error) {
	if p.place != onFile || p.catalogued() {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "jacquard-steps-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary folder
	return p.prepareFile(ctx, dir)
}

// config returns the configuration that explores a script: half of the schedules are random, the
// others are searched depth first.
func (p *plot) config(s Script) explore.Config {
	n := p.schedulesOf(s)
	cfg := explore.Config{
		Seed: seed, Name: s.Name, Trust: explored.Trusted(),
		Plan: []explore.Stage{
			{Strategy: explore.PCT(3), Schedules: max(1, n/4)},
			{Strategy: explore.RandomWalk(), Schedules: max(1, n/4)},
			{Strategy: explore.DepthFirst(2), Schedules: max(1, n/2)},
		},
	}
	if s.Expected {
		cfg.Minimise = -1
	}
	if p.column != races.Ours {
		// Unsynchronised code has data races wherever one looks. The reports are about their
		// consequences.
		cfg.Races = explore.RacesNote
	}
	return cfg
}

// schedulesOf returns the number of schedules: by default fewer on a database, where an execution
// takes a hundred times as long.
func (p *plot) schedulesOf(s Script) int {
	switch {
	case s.Schedules > 0:
		return s.Schedules
	case p.onDisk() && s.Short:
		return 15
	case s.Short:
		return 50
	case p.onDisk():
		return 200
	}
	return 1000
}

// onDisk reports whether each execution makes a file.
func (p *plot) onDisk() bool {
	return p.place == onFile || p.place == lockService || p.place == jobQueue
}
