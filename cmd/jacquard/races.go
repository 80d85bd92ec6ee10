package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

func racesCommand(show show) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "races",
		Short: "show every documented race as reported, under the suggested fix, and in ours",
		Long: `races explores R1 to R7 in three columns: the code as the reports describe it, the
same with the fix that the report suggests, and package lifecycle; then N1, N2, N3,
N7 and N8, their neighbours in the same code, with a dash where no suggested fix
touches it. It first checks itself on planted bugs. It exits with 0 only if every
verdict is what it must be.`,
		Args: arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if show.seed == 0 {
				return fmt.Errorf("races: -seed: got 0, want at least 1")
			}
			return show.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&show.json, "json", false, "print one JSON object instead of a table")
	cmd.Flags().Uint64Var(&show.seed, "seed", 1, "make every random choice by the seed `n`; the same seed prints the same cards")
	return cmd
}

// A show is what races shows.
type show struct {
	catalogue       []races.Race       // the rows
	canaries, cells []explored.Subject // what is explored, the canaries first
	seed            uint64
	json            bool
}

// everything is the whole catalogue.
func everything() show {
	return show{catalogue: races.All(), canaries: explored.Canaries(), cells: explored.Cells()}
}

// run builds the controlled program and shows what it finds. The error is
// errFailed if a cell is wrong.
func (s show) run(ctx context.Context, out, errs io.Writer) error {
	screen := newScreen(errs)
	defer screen.clear()
	workers, err := newPool(ctx, screen.say)
	if err != nil {
		return err
	}
	defer workers.close()
	canaries, err := judge(ctx, workers, screen, "canaries", s.canaries, s.seed)
	if err != nil {
		return err
	}
	if wrong := canaries.wrong(); len(wrong) > 0 {
		screen.clear()
		printWrong(errs, wrong)
		return fmt.Errorf("races: the instrument is out of order: %d of %d planted programs got a wrong verdict, so nothing else would mean anything", len(wrong), len(canaries))
	}
	cells, err := judge(ctx, workers, screen, "cells", s.cells, s.seed)
	if err != nil {
		return err
	}
	screen.clear()
	return s.print(out, errs, len(canaries), cells)
}

func (s show) print(out, errs io.Writer, canaries int, cells verdicts) error {
	wrong := cells.wrong()
	if s.json {
		printWrong(errs, wrong)
		if err := json.NewEncoder(out).Encode(machineReport(s.catalogue, cells, s.seed)); err != nil {
			return fmt.Errorf("races: %w", err)
		}
	} else if err := printTable(out, s.catalogue, cells, canaries, s.seed); err != nil {
		return fmt.Errorf("races: %w", err)
	}
	if len(wrong) > 0 {
		return errFailed
	}
	return nil
}
