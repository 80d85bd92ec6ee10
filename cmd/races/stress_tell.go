package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/stress"
)

// tellings are the ways in which what came of stress is told.
type tellings struct {
	json          bool
	junit, page   string
	explored      string // what the table has told with -json
	ledger, night string
}

func (t *tellings) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&t.json, "json", false, "print one JSON object instead of a table")
	cmd.Flags().StringVar(&t.junit, "junit", "", "write a JUnit `file` too")
	cmd.Flags().StringVar(&t.page, "html", "", "write a page for people to a `file` too")
	cmd.Flags().StringVar(&t.explored, "explored", "", "show on the page what exploring came to, from a `file` that the table wrote with -json -timed")
	cmd.Flags().StringVar(&t.ledger, "ledger", "", "know from a `file` what earlier nights came to, and add this one")
	cmd.Flags().StringVar(&t.night, "night", "", "call this run `name` in the ledger")
}

// tell tells it in every way that was asked for, whatever becomes of each.
func (t tellings) tell(out, errs io.Writer, r *stress.Report) error {
	nights, err := t.nights(r)
	report := tellStress(out, errs, r, t.json)
	if t.junit != "" {
		err = errors.Join(err, writeJUnit(t.junit, r))
	}
	if t.page != "" {
		err = errors.Join(err, t.writePage(r, nights))
	}
	if err != nil {
		return err
	}
	return report
}

// nights judges a report by the ledger, and adds it if it is whole.
func (t tellings) nights(r *stress.Report) (stress.Nights, error) {
	if t.ledger == "" {
		return nil, nil
	}
	nights, err := stress.ReadNights(t.ledger)
	if err != nil {
		return nil, err
	}
	r.Weigh(nights)
	if r.Interrupted || r.Shard != "" {
		return nights, nil
	}
	nights = append(nights, r.Night(t.night))
	return nights, nights.Write(t.ledger)
}

// writePage writes the page.
func (t tellings) writePage(r *stress.Report, nights stress.Nights) error {
	var m machine
	if t.explored != "" {
		text, err := os.ReadFile(t.explored)
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		if err != nil {
			return fmt.Errorf("stress: -explored: %w", err)
		}
	}
	text, err := stressPage(r, m, nights)
	if err == nil {
		err = os.WriteFile(t.page, text, 0o666)
	}
	if err != nil {
		return fmt.Errorf("stress: the page: %w", err)
	}
	return nil
}

// tellStress prints a report. The error is command.ErrFailed if something is wrong with
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
		return command.ErrFailed
	}
	return nil
}
