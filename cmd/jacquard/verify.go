package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A verifying holds the flags and arguments of verify.
type verifying struct {
	replaying
	schedules int
	total     time.Duration
}

func verifyCommand() *cobra.Command {
	var v verifying
	cmd := &cobra.Command{
		Use:   "verify [TEST [CARD]] [-args ...]",
		Short: "check whether a failure is fixed",
		Long: `verify follows the card of a failure after a change. If the failure does not come, verify
searches the test for one of the same kind and cause: it runs operations right after those
that they followed in the failure, then it uses DPOR, then few preemptions, with the random
choices of the card. So it tells a bug that is gone from a schedule that is lost. Without a
card it takes the newest failure that was found here, as replay does.

It prints one of
  still fails        with the schedule
  fails differently  no schedule has this failure, but some have another
  fixed: exhausted   no schedule of the test fails
  fixed at ≤ k       none with at most k preemptions fails
  not seen in n      n schedules do not fail

The exit code is
  0  no schedule failed
  1  a schedule failed
  2  it cannot be told; the reason is printed`,
		Example: `  jacquard verify TestWithdraw
  jacquard verify -schedules 100000 -total 30m example.com/account.TestWithdraw CARD`,
		Args: func(cmd *cobra.Command, args []string) error {
			args, v.args = command.Parted(cmd, args)
			return command.Arguments(0, 2, "a test and its card")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			args, _ = command.Parted(cmd, args)
			err := v.built.check(cmd)
			if err == nil {
				err = v.parse(cmd, args)
			}
			if err != nil {
				return fmt.Errorf("verify: %w", err)
			}
			return v.run(cmd)
		},
	}
	v.flags(cmd)
	cmd.Flags().IntVar(&v.width, "width", 0, "`columns` of the report (default those of the terminal, or 120)")
	cmd.Flags().BoolVar(&v.json, "json", false, "print what came of it as JSON")
	return cmd
}

// flags declares the flags of a search for one failure.
func (v *verifying) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&v.schedules, "schedules", 10*suite.DefaultSchedules, "run at most `n` schedules")
	f.DurationVar(&v.total, "total", suite.DefaultTotal, "take at most this `time`, not counting the build")
	v.times = 1
	v.built.flags(cmd)
	f.StringVar(&v.only, "run", "", "run only the subtests that match this `regexp`, as the replay line says")
	f.StringVar(&v.skip, "skip", "", "do not run subtests that match this `regexp`, as the replay line says")
	f.StringVar(&v.leaks, "leaks", "differ", "`when` goroutines that can never end fail a test, as the replay line says")
}

// parse reads the arguments and checks the flags.
func (v *verifying) parse(cmd *cobra.Command, args []string) error {
	switch {
	case v.schedules < 1:
		return fmt.Errorf("-schedules: got %d, want at least 1", v.schedules)
	case v.total <= 0:
		return fmt.Errorf("-total: got %s, want more than 0", v.total)
	}
	return v.replaying.parse(cmd, args)
}

// mostDirected bounds the directed schedules before the full search.
const mostDirected = 150

// config returns the configuration of the search: likely schedules first, then all.
func (v *verifying) config(screen *command.Screen) (suite.Config, error) {
	cfg, err := v.replaying.config(screen)
	cfg.Total, cfg.Schedules, cfg.Vet = v.total, v.schedules, build.VetOff
	for _, s := range []protocol.Stage{
		{Strategy: "directed", Schedules: min(v.schedules/10, mostDirected)}, {Strategy: "dpor", Schedules: v.schedules / 2},
		{Strategy: "dfs", Schedules: v.schedules / 5}, {Strategy: "pos", Schedules: v.schedules},
	} {
		if s.Schedules > 0 {
			cfg.Plan = append(cfg.Plan, s)
		}
	}
	return cfg, err
}

// cardOf returns the card to verify.
func (v *verifying) cardOf(cmd *cobra.Command) suite.Card {
	return suite.Card{Package: v.test.pkg, Test: v.test.name, Text: v.card, Width: command.Fit(v.width, cmd.OutOrStdout(), 120)}
}

// run verifies a failure and prints the result.
func (v *verifying) run(cmd *cobra.Command) error {
	screen := command.NewScreen(name, cmd.ErrOrStderr())
	defer screen.Clear()
	cfg, err := v.config(screen)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	cfg.Color = !v.json && command.Coloured(cmd.OutOrStdout())
	got, err := suite.Verify(cmd.Context(), cfg, v.cardOf(cmd))
	if err != nil {
		return fmt.Errorf("verify: %s: %w", v.test, err)
	}
	screen.Clear()
	if err := v.print(cmd.OutOrStdout(), got); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	switch got.State {
	case "":
		return fmt.Errorf("verify: %s: nothing can be said: %s", v.test, why(got))
	case suite.StillFails, suite.FailsOtherwise:
		return command.ErrFailed
	}
	return nil
}

// why returns the reason why the state is not known.
func why(got suite.Verified) string {
	if got.Event.Reason != "" && got.Event.Reason != got.Why {
		return got.Event.Reason
	}
	return got.Why
}

// print prints the result.
func (v *verifying) print(out io.Writer, got suite.Verified) error {
	if v.json {
		f := suite.Finding(v.test.String(), got.Event)
		f.State, f.Replayed, f.Report = got.State, got.Replayed, got.Event.Report
		return json.NewEncoder(out).Encode(f)
	}
	if got.State == "" {
		return nil
	}
	var b strings.Builder
	if got.State == suite.StillFails {
		b.WriteString(got.Event.Report)
	}
	fmt.Fprintf(&b, "%s: %s\n", v.test, got.State)
	for _, e := range got.Others {
		fmt.Fprintf(&b, "    another failure: %s: %s\n", e.Kind, e.Message)
	}
	if got.State != suite.StillFails {
		fmt.Fprintf(&b, "    the card: %s\n", got.Why)
		fmt.Fprintf(&b, "    %s, %d distinct by happens-before", command.Plural(got.Event.Schedules, "schedule"), got.Event.Distinct)
		if got.Event.Claim != "" {
			b.WriteString("; " + got.Event.Claim)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
