package goker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jacquard-go/jacquard/bench/figures"
	"github.com/jacquard-go/jacquard/bench/goker/program"
	"github.com/jacquard-go/jacquard/bench/goker/trial"
	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
)

// limit is how many schedules a search may run, and exhaustive how many a search may run
// that must exhaust the kernel.
const (
	limit      = 100
	exhaustive = 10_000
)

// patience is how long one process may take for one kernel. Unchanged kernels run
// their body up to ten thousand times at once.
const (
	patience   = 10 * time.Minute
	asItStands = 30 * time.Second
)

// A row is one kernel.
type row struct {
	kernel     program.Kernel
	searches   []trial.Search // by the default plan, one for each seed
	died       string         // why there are no searches
	random     []trial.Search // by a random walk
	randomDied string         // why there are none by a random walk
	whole      *trial.Search  // of the unchanged kernel
	twin       *trial.Search  // corrected; nil if there is none
	lost       *trial.Search  // without the repair that it needed; nil if it needed none
}

// samples converts searches to samples, found if the search found a bug.
func samples(searches []trial.Search) []figures.Sample {
	var all []figures.Sample
	for _, s := range searches {
		all = append(all, figures.Sample{Found: s.Found(), Schedules: s.Schedules})
	}
	return all
}

// An experiment is one job and where its answer goes.
type experiment struct {
	what    string
	program *program.Program
	job     trial.Job
	timeout time.Duration
	done    func(searches []trial.Search, died error)
}

// measure builds the kernels in each of their forms and starts processes that explore
// them, one for each processor. It reports its progress on log.
func (o order) measure(ctx context.Context, kernels []program.Kernel, log io.Writer) ([]*row, error) {
	f, err := o.build(ctx, kernels, log)
	if err != nil {
		return nil, err
	}
	defer f.close()
	rows := make([]*row, len(kernels))
	var all []experiment
	for i, k := range kernels {
		rows[i] = &row{kernel: k}
		all = append(all, o.experiments(f, rows[i])...)
	}
	dir, err := os.MkdirTemp("", "jacquard-goker-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, e := range all {
		group.Go(func() error {
			fmt.Fprintf(log, "%3d/%d %s: %s\n", i+1, len(all), e.job.Kernel, e.what)
			searches, err := e.run(ctx, dir)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			e.done(searches, err)
			return nil
		})
	}
	return rows, group.Wait()
}

// experiments returns the experiments for one kernel.
func (o order) experiments(f *forms, r *row) []experiment {
	name := r.kernel.Name
	first := func(into **trial.Search) func([]trial.Search, error) {
		return func(s []trial.Search, died error) {
			*into = &trial.Search{Verdict: "unknown"}
			if died != nil {
				(*into).Summary = died.Error()
			} else {
				*into = &s[0]
			}
		}
	}
	each := func(into *[]trial.Search, why *string) func([]trial.Search, error) {
		return func(s []trial.Search, died error) {
			*into = s
			if died != nil {
				*why = died.Error()
			}
		}
	}
	all := []experiment{
		{"default plan", f.short, trial.Job{Kernel: name, Plan: trial.Default, Seeds: o.seeds, Limit: limit, Replays: o.replays}, patience, each(&r.searches, &r.died)},
		{"random walk", f.short, trial.Job{Kernel: name, Plan: trial.Random, Seeds: o.seeds, Limit: limit}, patience, each(&r.random, &r.randomDied)},
	}
	if o.whole {
		all = append(all, experiment{"as it stands", f.whole, trial.Job{Kernel: name, Plan: trial.Default, Seeds: 1, Limit: limit}, asItStands, first(&r.whole)})
	}
	if _, ok := twins()[name]; ok && o.twins > 0 {
		all = append(all, experiment{"corrected", f.twins, trial.Job{Kernel: name, Plan: trial.Sampling, Seeds: 1, Limit: o.twins}, patience, first(&r.twin)})
	}
	if _, ok := repairs()[name]; ok {
		all = append(all, experiment{"not repaired", f.lost, trial.Job{Kernel: name, Plan: trial.DPOR, Seeds: 1, Limit: exhaustive}, patience, first(&r.lost)})
	}
	return all
}

// run starts a process that does the job.
func (e experiment) run(ctx context.Context, dir string) ([]trial.Search, error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	cmd := exec.Command(e.program.Binary)
	cmd.Dir = e.program.Dir // with the source, from which reports have their names
	cmd.Env = append(executable.Env(os.Environ(), dir), "TMPDIR="+dir)
	p, err := child.Start(ctx, cmd, child.Options{Wire: child.Lines})
	if err != nil {
		return nil, err
	}
	var a trial.Answer
	_ = p.Send(e.job) // if this fails, the end of the process says why
	answered := p.Receive(&a)
	switch how := p.Close(); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("more than %v", e.timeout)
	case !how.OK():
		return nil, fmt.Errorf("%v: %s", how, child.FirstLine(how.Words))
	case answered != nil:
		return nil, fmt.Errorf("the answer: %w", answered)
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	return a.Searches, nil
}
