package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/stress"
)

type stressFlags struct {
	time time.Duration
	seed uint64
	json bool
}

func stressCommand() *cobra.Command {
	var f stressFlags
	cmd := &cobra.Command{
		Use:   "stress",
		Short: "run the documented races without control, on all processors, for a set time",
		Long: `stress runs R1 to R7 as any program would, on all processors and for a set time: in
ours with crowds of goroutines whose operations are counted exactly, and in the code
as reported and as suggested to see whether plain running meets the race at all.
Every campaign has a process of its own. Run it with the race detector:

    go run -race ./cmd/jacquard stress

It exits with 0 only if every race is clean in ours; what comes of the others is
information.`,
		Args: arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.seed == 0 {
				return fmt.Errorf("stress: -seed: got 0, want at least 1")
			}
			if f.time <= 0 {
				return fmt.Errorf("stress: -time: got %v, want a positive duration", f.time)
			}
			return runStress(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), f)
		},
	}
	cmd.Flags().DurationVar(&f.time, "time", 30*time.Second, "run for this `time`, all campaigns together")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "lay the rounds out by the seed `n`; how they interleave is chance")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object instead of a table")
	cmd.AddCommand(campaignCommand())
	return cmd
}

// campaignCommand is the child's side.
func campaignCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "campaign",
		Hidden: true,
		Args:   arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return stress.Work(cmd.Context(), nil, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

func runStress(ctx context.Context, out, errs io.Writer, f stressFlags) error {
	screen := newScreen(errs)
	defer screen.clear()
	report, err := stress.Run(ctx, stress.Config{
		Time: f.time, Seed: f.seed,
		Progress: func(done, of int, next string) { screen.say(fmt.Sprintf("campaigns %d of %d · %s", done, of, next)) },
	})
	if err != nil {
		return err
	}
	screen.clear()
	return tellStress(out, errs, report, f.json)
}

// tellStress prints a report. The error is errFailed if a race is not clean in
// ours.
func tellStress(out, errs io.Writer, r *stress.Report, asJSON bool) error {
	var err error
	if asJSON {
		printUnclean(errs, r)
		err = json.NewEncoder(out).Encode(r)
	} else {
		err = printStress(out, r)
	}
	switch {
	case err != nil:
		return fmt.Errorf("stress: %w", err)
	case !r.Clean:
		return errFailed
	}
	return nil
}
