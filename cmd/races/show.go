package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// A show is what the table shows.
type show struct {
	catalogue       []races.Race       // the rows
	canaries, cells []explored.Subject // what is explored, the canaries first
	seed            uint64
	json            bool
	timed           bool // with json: how long each cell took
}

// everything is the whole catalogue.
func everything() show {
	return show{catalogue: races.All(), canaries: explored.Canaries(), cells: explored.Cells()}
}

// run builds the controlled program and shows what it finds. The error is
// command.ErrFailed if a cell is wrong.
func (s show) run(ctx context.Context, out, errs io.Writer) error {
	screen := command.NewScreen(name, errs)
	defer screen.Clear()
	workers, err := newPool(ctx, screen.Say)
	if err != nil {
		return err
	}
	defer workers.close()
	canaries, err := judge(ctx, workers, screen, "canaries", s.canaries, s.seed)
	if err != nil {
		return err
	}
	if wrong := canaries.wrong(); len(wrong) > 0 {
		screen.Clear()
		printWrong(errs, wrong)
		return fmt.Errorf("the instrument is out of order: %d of %d planted programs got a wrong verdict, so nothing else would mean anything", len(wrong), len(canaries))
	}
	cells, err := judge(ctx, workers, screen, "cells", s.cells, s.seed)
	if err != nil {
		return err
	}
	screen.Clear()
	return s.print(out, errs, len(canaries), cells)
}

func (s show) print(out, errs io.Writer, canaries int, cells verdicts) error {
	wrong := cells.wrong()
	if s.json {
		printWrong(errs, wrong)
		if err := json.NewEncoder(out).Encode(machineReport(s, cells)); err != nil {
			return err
		}
	} else if err := printTable(out, s.catalogue, cells, canaries, s.seed); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return command.ErrFailed
	}
	return nil
}
