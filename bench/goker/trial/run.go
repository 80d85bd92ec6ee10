package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/jacquard-go/jacquard/explore"
)

// Main does the job that standard input holds and writes the answer to standard
// output. kernels are the functions that run them.
func Main(kernels map[string]func()) {
	if err := Serve(context.Background(), kernels, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

// Serve does the job that in holds and writes the answer to out.
func Serve(ctx context.Context, kernels map[string]func(), in io.Reader, out io.Writer) error {
	var j Job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return fmt.Errorf("reading the job: %w", err)
	}
	var a Answer
	var err error
	if a.Searches, err = j.do(ctx, kernels); err != nil {
		a.Error = err.Error()
	}
	if err := json.NewEncoder(out).Encode(a); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

func (j Job) do(ctx context.Context, kernels map[string]func()) (all []Search, err error) {
	kernel := kernels[j.Kernel]
	if kernel == nil {
		return nil, fmt.Errorf("got kernel %q, want one of the %d that there are", j.Kernel, len(kernels))
	}
	for seed := 1; seed <= j.Seeds; seed++ {
		s, err := j.search(ctx, uint64(seed), func(*explore.T) { kernel() })
		if err != nil {
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// search explores a kernel once, and replays what it finds.
func (j Job) search(ctx context.Context, seed uint64, body func(*explore.T)) (Search, error) {
	plan, err := j.Plan.stages(j.Limit)
	if err != nil {
		return Search{}, err
	}
	cfg := explore.Config{
		Name: j.Kernel, Seed: seed, Plan: plan, Workers: 1,
		Races: explore.RacesNote,  // the search is for goroutines that never end
		Leaks: explore.LeaksStuck, // some correct kernels run for ever
	}
	if j.Replays == 0 {
		cfg.Minimise = -1
	}
	r, err := explore.Run(ctx, cfg, body)
	if err != nil {
		return Search{}, err
	}
	s := Search{Verdict: r.Verdict.String(), Summary: r.Summary(), Schedules: r.Schedules, Exhausted: r.Exhausted, Races: len(r.Noted)}
	if f := r.Failure; f != nil {
		s.Schedules, s.Kind, s.Message, s.Strategy = f.Schedule, f.Of, f.Message, f.Strategy
		s.Preemptions, s.Steps, s.Card, s.Timeline = f.Preemptions, f.Steps, f.Card, f.Timeline
		return s, s.replay(ctx, cfg, j.Replays, body)
	}
	return s, nil
}

// replay replays the card repeatedly, as long as the result is the
// same.
func (s *Search) replay(ctx context.Context, cfg explore.Config, times int, body func(*explore.T)) error {
	for range times {
		r, err := explore.Replay(ctx, cfg, s.Card, body)
		if err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		if r.Outcome != explore.Exact || r.Result.Failure.Message != s.Message {
			s.Departed = fmt.Sprintf("%v: %s", r, r.Result.Summary())
			return nil
		}
		s.Replayed++
	}
	return nil
}
