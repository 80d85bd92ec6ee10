package stress

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// ErrBlind means that this program was built with the race detector, but the detector did not report a planted race, so
// that a run without reports would mean nothing.
var ErrBlind = errors.New("the race detector does not report a planted data race")

// Run runs every campaign and reports. Findings are results, not errors: an error means that the campaigns could not be
// run. If ctx ends Run also returns the report of the campaigns that have ended. The error matches [ErrConfig],
// [ErrBlind], [ErrState] or the context's, or is about the children's processes or files.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	all, err := chosen(cfg)
	if err != nil {
		return nil, err
	}
	done, err := resume(cfg, all)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "jacquard-stress-")
	if err != nil {
		return nil, fmt.Errorf("stress: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder; nothing depends on it
	r := &runner{cfg: cfg, dir: dir}
	if RaceDetector {
		if err := r.calibrate(ctx); err != nil {
			return nil, err
		}
	}
	return r.all(ctx, dealt(all, cfg), done)
}

type runner struct {
	cfg  Config
	dir  string
	jobs int // the number that were started
}

// plannedJob is a job and the place of its result.
type plannedJob struct {
	job
	race   int
	column races.Column
}

// name returns the campaign's name, by which it is chosen and reported.
func (j job) name() string { return j.Subject + " " + j.Campaign }

// all runs the planned jobs, except those that have ended before. If ctx ends it reports the campaigns that have ended.
func (r *runner) all(ctx context.Context, jobs []plannedJob, done *state) (*Report, error) {
	report := done.Report
	for i, j := range jobs {
		if done.has(j) {
			continue
		}
		r.cfg.Progress(i, len(jobs), j.name())
		result, err := r.run(ctx, j.job)
		if err != nil && ctx.Err() != nil {
			report.Interrupted = true
			report.Weigh(nil)
			return report, err
		}
		if err != nil {
			return nil, err
		}
		report.file(report.row(r.cfg.Rows[j.race].Race), j.column, result)
		if err := done.note(r.cfg.State, j); err != nil {
			return nil, err
		}
	}
	report.Weigh(nil)
	return report, done.forget(r.cfg.State)
}

// chosen lists the chosen campaigns. If there is none the error lists the names of all.
func chosen(cfg Config) ([]plannedJob, error) {
	all := campaigns(cfg)
	if cfg.Run == nil {
		return all, nil
	}
	var names []string
	var some []plannedJob
	for _, j := range all {
		names = append(names, j.name())
		if cfg.Run.MatchString(j.name()) {
			some = append(some, j)
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("%w: no campaign matches %q; there are\n  %s", ErrConfig, cfg.Run, strings.Join(names, "\n  "))
	}
	return some, nil
}

// dealt returns this shard's part of the campaigns, each with its share of the time.
func dealt(all []plannedJob, cfg Config) []plannedJob {
	var jobs []plannedJob
	for i, j := range all {
		if i%cfg.Shards == cfg.Shard-1 {
			jobs = append(jobs, j)
		}
	}
	share(jobs, cfg.Time)
	return jobs
}

// campaigns lists all campaigns, row by row, ours first.
func campaigns(cfg Config) []plannedJob {
	var all []plannedJob
	add := func(race int, subject, campaign string, column races.Column) {
		j := job{Subject: subject, Campaign: campaign, Seed: cfg.Seed, Stall: cfg.Stall, again: column != races.Ours}
		all = append(all, plannedJob{j, race, column})
	}
	for i, row := range cfg.Rows {
		if cell, ok := row.Race.Cell(races.Ours); ok {
			add(i, cell.ID, BodyCampaign, races.Ours)
		}
		for _, workload := range row.Workloads {
			add(i, row.ours(), workload.Name, races.Ours)
		}
		if len(row.Litmus) > 0 {
			add(i, row.ours(), LitmusCampaign, races.Ours)
		}
		for _, cell := range row.Race.Cells {
			if cell.Column != races.Ours {
				add(i, cell.ID, BodyCampaign, cell.Column)
			}
		}
	}
	return all
}

// share gives ours two thirds of the time and the specimens one third, or all of it if there is only one of the two.
func share(jobs []plannedJob, all time.Duration) {
	ours := 0
	for _, j := range jobs {
		if j.column == races.Ours {
			ours++
		}
	}
	specimens := len(jobs) - ours
	forOurs := all * 2 / 3
	switch {
	case specimens == 0:
		forOurs = all
	case ours == 0:
		forOurs = 0
	}
	for i := range jobs {
		if jobs[i].column == races.Ours {
			jobs[i].Time = forOurs / time.Duration(ours)
		} else {
			jobs[i].Time = (all - forOurs) / time.Duration(specimens)
		}
	}
}

// calibrate checks that the race detector reports a planted race.
func (r *runner) calibrate(ctx context.Context) error {
	planted := job{
		Subject: canaryPrefix + "map-unlocked", Campaign: BodyCampaign,
		Time: time.Second, Stall: r.cfg.Stall, Seed: r.cfg.Seed, StopAtRace: true,
	}
	result, err := r.run(ctx, planted)
	switch {
	case err != nil:
		return err
	case len(result.Findings) == 0 || result.Findings[0].Kind != races.KindRace:
		return fmt.Errorf("stress: %w: %d rounds of %s gave findings %v; %s",
			ErrBlind, result.Rounds, planted.Subject, result.Findings, result.Trouble)
	}
	return nil
}

// run runs a job. A specimen that has crashed is started again while there is time, to count how often it crashes.
func (r *runner) run(ctx context.Context, j job) (Result, error) {
	all := Result{Subject: j.Subject, Campaign: j.Campaign}
	for deadline := time.Now().Add(j.Time); ; {
		result, err := r.once(ctx, j)
		if err != nil {
			return Result{}, err
		}
		all.merge(result)
		j.Time = time.Until(deadline)
		if !result.crashed || !j.again || j.Time <= 0 {
			return all, nil
		}
		j.Seed += crashSeeds
	}
}

// crashSeeds is the difference between the seeds of consecutive processes of one campaign.
const crashSeeds = 1_000_003

// once runs a job in a child, with its own folder.
func (r *runner) once(ctx context.Context, j job) (Result, error) {
	r.jobs++
	j.Dir = filepath.Join(r.dir, strconv.Itoa(r.jobs))
	if err := os.Mkdir(j.Dir, 0o700); err != nil {
		return Result{}, fmt.Errorf("stress: %w", err)
	}
	pace := watchPace(j)
	result, err := runChild(ctx, r.cfg, j)
	result.Pace = pace.end(result.Rounds)
	return result, errors.Join(err, os.RemoveAll(j.Dir))
}
