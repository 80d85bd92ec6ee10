package stress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/races"
)

// Work is a child's side: it reads a job, runs it and writes its result. Rows must be those of the parent's [Config]; nil means
// [Rows].
//
// The campaign runs in this process, so a specimen may crash it. If a round does not end Work returns anyway and leaves the round's
// goroutines behind, so the process should exit then.
func Work(ctx context.Context, rows []Row, in io.Reader, out io.Writer) error {
	if rows == nil {
		rows = Rows()
	}
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return fmt.Errorf("stress: read a job: %w", err)
	}
	r, err := work(ctx, rows, j)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(out).Encode(r); err != nil {
		return fmt.Errorf("stress: write a result: %w", err)
	}
	return nil
}

// work runs a job.
func work(ctx context.Context, rows []Row, j job) (r Result, err error) {
	campaign, err := find(rows, j)
	if err != nil {
		return Result{}, err
	}
	before := goleak.IgnoreCurrent()
	t, err := newTrial(j)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	run := func() { campaign(ctx, t) }
	if stuck := watch(j.Stall, t.ended.Load, run); stuck != "" {
		t.find(races.KindDeadlock, t.progress.rounds.Load(), stuck)
		return t.result(), nil
	}
	t.lookForRaces(t.progress.rounds.Load())
	if r := t.result(); len(r.Findings) > 0 || r.Trouble != "" {
		return r, ctx.Err() // an interrupted round may have left goroutines behind
	}
	if err := goleak.Find(before); err != nil {
		t.find(races.KindLeak, t.progress.rounds.Load(), firstLeak(err))
	}
	return t.result(), ctx.Err()
}

// pid returns the id of this process, which the race detector appends to the name of its log.
func pid() int { return os.Getpid() }
