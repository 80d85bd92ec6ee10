package stress

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// ErrBlind means that this program was built with the race detector, and that the detector does not report a race that was planted
// for it: its reports, or that there are none, would mean nothing.
var ErrBlind = errors.New("the race detector does not report a planted data race")

// Run runs every campaign and reports. Findings are results, not errors: an error means that the campaigns could not be run. It
// matches [ErrConfig], [ErrBlind] or the context's, or is about the children's processes or files.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	cfg, err := cfg.withDefaults()
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
	return r.all(ctx)
}

type runner struct {
	cfg  Config
	dir  string
	jobs int // that were started
}

// plannedJob is a job with the place of its result.
type plannedJob struct {
	job
	race   int
	column races.Column
}

// all runs what was planned.
func (r *runner) all(ctx context.Context) (*Report, error) {
	report := newReport(r.cfg)
	jobs := plan(r.cfg)
	for i, j := range jobs {
		r.cfg.Progress(i, len(jobs), j.Subject+", "+j.Campaign)
		result, err := r.run(ctx, j.job)
		if err != nil {
			return nil, err
		}
		report.file(j.race, j.column, result)
	}
	return report, nil
}

// plan lists the campaigns row by row, ours first, and gives each its share of the time.
func plan(cfg Config) []plannedJob {
	var jobs []plannedJob
	ours, specimens := 0, 0
	add := func(race int, cell races.Cell, campaign string) {
		if cell.Column == races.Ours {
			ours++
		} else {
			specimens++
		}
		jobs = append(jobs, plannedJob{job{Subject: cell.ID, Campaign: campaign, Seed: cfg.Seed, Stall: cfg.Stall}, race, cell.Column})
	}
	for i, row := range cfg.Rows {
		if cell, ok := row.Race.Cell(races.Ours); ok {
			add(i, cell, BodyCampaign)
			for _, crowd := range row.Crowds {
				add(i, cell, crowd.Name)
			}
		}
		for _, cell := range row.Race.Cells {
			if cell.Column != races.Ours {
				add(i, cell, BodyCampaign)
			}
		}
	}
	for i := range jobs {
		if jobs[i].column == races.Ours {
			jobs[i].Time = cfg.Time * 2 / 3 / time.Duration(ours)
		} else {
			jobs[i].Time = cfg.Time / 3 / time.Duration(specimens)
		}
	}
	return jobs
}

// calibrate makes sure that the race detector reports what it should.
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

// run runs a job in a child, with a folder of its own.
func (r *runner) run(ctx context.Context, j job) (Result, error) {
	r.jobs++
	j.Dir = filepath.Join(r.dir, strconv.Itoa(r.jobs))
	if err := os.Mkdir(j.Dir, 0o700); err != nil {
		return Result{}, fmt.Errorf("stress: %w", err)
	}
	result, err := runChild(ctx, r.cfg, j)
	return result, errors.Join(err, os.RemoveAll(j.Dir))
}
