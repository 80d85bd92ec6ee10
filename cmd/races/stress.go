package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/stress"
)

type stressFlags struct {
	time time.Duration
	seed uint64

	run, shard, state string
	tellings
}

func stressCommand() *cobra.Command {
	var f stressFlags
	cmd := &cobra.Command{
		Use:   "stress",
		Short: "run the documented races without control, on all processors, for a set time",
		Long: `stress runs the documented races as any program would, on all processors and for a set time: in
ours with workloads of many goroutines whose operations are counted exactly, and in the code
as reported and as suggested to see whether plain running meets the race at all.
Every campaign has a process of its own. Run it with the race detector:

    go run -race ./cmd/races stress

It exits with 0 only if nothing is wrong with ours; what comes of the others is
information. Ours was tried often enough to say something if that was ten times as
often as the code as reported needed to show what is reported.

-shard 2/5 runs the second of five parts, and "stress merge FILE..." puts together
what several wrote with -json. An interrupted run tells what it has done, and goes on
where it was if it is started again with the same -state.`,
		Args: command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.seed == 0 {
				return fmt.Errorf("stress: -seed: got 0, want at least 1")
			}
			if f.time <= 0 {
				return fmt.Errorf("stress: -time: got %v, want a positive duration", f.time)
			}
			if _, _, err := f.part(); err != nil {
				return err
			}
			return runStress(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), f)
		},
	}
	cmd.Flags().DurationVar(&f.time, "time", 30*time.Second, "run for this `time`, all campaigns together")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "lay the rounds out by the seed `n`; how they interleave is chance")
	cmd.Flags().StringVar(&f.run, "run", "", "run the campaigns whose names, such as R4/ours body, match a regular `expression`")
	cmd.Flags().StringVar(&f.shard, "shard", "", "run the `i/n`th part of the campaigns")
	cmd.Flags().StringVar(&f.state, "state", "", "note in a `file` what is done, and go on from there after a kill")
	f.tellings.bind(cmd)
	cmd.AddCommand(campaignCommand(), mergeCommand())
	return cmd
}

// campaignCommand is the child's side.
func campaignCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "campaign",
		Hidden: true,
		Args:   command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return stress.Work(cmd.Context(), nil, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// part reads -shard.
func (f stressFlags) part() (i, n int, err error) {
	if f.shard == "" {
		return 1, 1, nil
	}
	_, err = fmt.Sscanf(f.shard, "%d/%d", &i, &n)
	if err != nil || i < 1 || i > n || fmt.Sprintf("%d/%d", i, n) != f.shard {
		return 0, 0, fmt.Errorf("stress: -shard: got %q, want one such as 2/5", f.shard)
	}
	return i, n, nil
}

func runStress(ctx context.Context, out, errs io.Writer, f stressFlags) error {
	screen := command.NewScreen(name, errs)
	defer screen.Clear()
	shard, shards, err := f.part()
	if err != nil {
		return err
	}
	run, err := f.chosen()
	if err != nil {
		return err
	}
	report, err := stress.Run(ctx, stress.Config{
		Time: f.time, Seed: f.seed, Shard: shard, Shards: shards, Run: run, State: f.state,
		Progress: func(done, of int, next string) { screen.Say(fmt.Sprintf("campaigns %d of %d · %s", done, of, next)) },
	})
	screen.Clear()
	if report == nil {
		return err
	}
	told := f.tell(out, errs, report)
	if err != nil {
		return err // it was interrupted
	}
	return told
}

// chosen reads -run.
func (f stressFlags) chosen() (*regexp.Regexp, error) {
	if f.run == "" {
		return nil, nil
	}
	run, err := regexp.Compile(f.run)
	if err != nil {
		return nil, fmt.Errorf("stress: -run: %w", err)
	}
	return run, nil
}

// mergeCommand puts reports together.
func mergeCommand() *cobra.Command {
	var f tellings
	cmd := &cobra.Command{
		Use:   "merge FILE...",
		Short: "put together what several runs of stress wrote with -json",
		Args:  command.Arguments(1, 1000, "FILE..."),
		RunE: func(cmd *cobra.Command, files []string) error {
			var all []*stress.Report
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					return fmt.Errorf("stress: merge: %w", err)
				}
				r := new(stress.Report)
				if err := json.Unmarshal(text, r); err != nil {
					return fmt.Errorf("stress: merge %s: %w", file, err)
				}
				all = append(all, r)
			}
			report, err := stress.Merge(all...)
			if err != nil {
				return err
			}
			return f.tell(cmd.OutOrStdout(), cmd.ErrOrStderr(), report)
		},
	}
	f.bind(cmd)
	return cmd
}
