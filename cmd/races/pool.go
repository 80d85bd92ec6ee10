package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// program is the package that is built under control: this one.
const program = "github.com/jacquard-go/jacquard/cmd/races"

// silence is how long a worker may say nothing. It bounds each step of an
// execution itself, far below this, however busy the machine is.
const silence = 15 * time.Minute

// A pool runs jobs in controlled copies of this program, as a rule one for
// each processor: an execution uses only one.
type pool struct {
	binary  string
	dir     string // for the workers' temporary files and the race detector's reports
	workers int
	silence time.Duration
}

// newPool builds the controlled program.
func newPool(ctx context.Context, progress func(string)) (*pool, error) {
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: program, Progress: progress})
	if err != nil {
		return nil, outside(err)
	}
	dir, err := tempDir()
	if err != nil {
		return nil, fmt.Errorf("cannot make a folder for temporary files: %w", err)
	}
	return &pool{binary: binary, dir: dir, workers: runtime.NumCPU(), silence: silence}, nil
}

// outside explains the failure of a build that found no module to build.
func outside(err error) error {
	var broken *toolchain.BuildError
	if !errors.As(err, &broken) {
		return err
	}
	for _, sign := range []string{
		"no required module provides package", "cannot find module providing package", "cannot find main module", "cannot find package",
	} {
		if strings.Contains(broken.Output, sign) {
			dir, _ := os.Getwd() // for the message only
			return fmt.Errorf("outside the module: got directory %s, want one in a checkout of %s, which races builds under control", dir, path.Dir(path.Dir(program)))
		}
	}
	return err
}

// tempDir makes a folder: in memory where there is such a place, unless TMPDIR
// says where. The workers make theirs in it, so that what they leave behind
// when they are killed goes with it.
func tempDir() (string, error) {
	const pattern = "jacquard-races-"
	if os.Getenv("TMPDIR") == "" {
		if dir, err := os.MkdirTemp("/dev/shm", pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}

func (p *pool) close() { _ = os.RemoveAll(p.dir) } // nothing depends on it

// shared lets the job that comes last have all processors: the others are, or
// soon will be, without work.
func (p *pool) shared(j job, left int) job {
	j.Workers = 1
	if left == 0 {
		j.Workers = p.workers
	}
	return j
}

// do runs all jobs and calls done for each, from several goroutines. A job
// whose worker dies gets an answer that says so, and the next one a new worker.
func (p *pool) do(ctx context.Context, jobs []job, progress func(i, schedules int), done func(i int, a answer)) error {
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan int, len(jobs))
	for i := range jobs {
		queue <- i
	}
	close(queue)
	for range min(p.workers, len(jobs)) {
		group.Go(func() error {
			var w *worker
			defer func() { w.stop() }()
			for i := range queue {
				var err error
				if w == nil {
					if w, err = p.start(ctx); err != nil {
						return err
					}
				}
				a, err := w.do(p.shared(jobs[i], len(queue)), func(n int) { progress(i, n) })
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if err != nil {
					a = answer{Error: w.died(err)}
					w = nil
				}
				done(i, a)
			}
			return nil
		})
	}
	return group.Wait()
}
