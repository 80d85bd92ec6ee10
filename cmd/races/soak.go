package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/postgres"
	"github.com/jacquard-go/jacquard/stress/soak"
)

type soakFlags struct {
	time       time.Duration
	seed       uint64
	processes  int
	goroutines int
	killEvery  time.Duration
	relaxed    bool
	databases  []string
	keep       string
	json       bool
}

// The databases that can be soaked.
const (
	onSQLite   = "sqlite"
	onPostgres = "postgres"
)

func soakCommand() *cobra.Command {
	var f soakFlags
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "drive one database from several processes that are killed, and check what they saw",
		Long: `soak has several processes do random operations of the plan service on one database,
for a set time and with several goroutines each, while one process at a time is
killed (-9) and restarted, and another one frozen for longer than its claims last.
The clock of each is hours ahead or behind, and jumps. A throw-away PostgreSQL server
is ended at once and started again, after ten seconds or in the middle and then every
ten to twenty seconds.
Then it checks that every acknowledged write is there, that no plan was applied twice,
that every change is in its changeset and in the order of the commits, that every
history is linearizable, and that no read at the opt-in level was older than it may be;
of plans that are claimed, jobs and locks, that nobody gets what another has, that
nothing is accepted of a late holder, that who is refused is told who has it, that no
job succeeds twice, and that no subplan is lost, done again or merged out of order.

It does so on a new SQLite file, and on a new database of the PostgreSQL server that
` + postgres.DSN + ` names, or of a throw-away one if there is none.

It exits with 0 only if everything holds; if not, the histories are kept.`,
		Args: command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return runSoaks(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), f)
		},
	}
	cmd.Flags().DurationVar(&f.time, "time", 30*time.Second, "soak each database for this `time`")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "choose operations and kills by the seed `n`; how they interleave is chance")
	cmd.Flags().IntVar(&f.processes, "processes", 4, "run `n` processes at a time")
	cmd.Flags().IntVar(&f.goroutines, "goroutines", 6, "run `n` goroutines in each process")
	cmd.Flags().DurationVar(&f.killEvery, "kill-every", time.Second, "the `time` between two kills, on average")
	cmd.Flags().BoolVar(&f.relaxed, "relaxed", false, "let a commit return before it is on the disk")
	cmd.Flags().StringSliceVar(&f.databases, "databases", []string{onSQLite, onPostgres}, "soak these `databases`")
	cmd.Flags().StringVar(&f.keep, "keep", "", "keep the histories in `folder`-sqlite and folder-postgres, which are made")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object for each database instead of a table")
	cmd.AddCommand(processCommand())
	return cmd
}

func (f soakFlags) check() error {
	switch {
	case f.seed == 0:
		return errors.New("soak: -seed: got 0, want at least 1")
	case f.time <= 0:
		return fmt.Errorf("soak: -time: got %v, want a positive duration", f.time)
	case f.killEvery <= 0:
		return fmt.Errorf("soak: -kill-every: got %v, want a positive duration", f.killEvery)
	case f.processes <= 0:
		return fmt.Errorf("soak: -processes: got %d, want at least 1", f.processes)
	case f.goroutines <= 0:
		return fmt.Errorf("soak: -goroutines: got %d, want at least 1", f.goroutines)
	case len(f.databases) == 0:
		return errors.New("soak: -databases: got none, want sqlite, postgres or both")
	}
	for _, d := range f.databases {
		if d != onSQLite && d != onPostgres {
			return fmt.Errorf("soak: -databases: got %q, want sqlite, postgres or both", d)
		}
	}
	return nil
}

// processCommand is the child's side.
func processCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "process",
		Hidden: true,
		Args:   command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return soak.Work(cmd.Context(), nil, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// runSoaks soaks one database after the other. The error is command.ErrFailed if
// something does not hold on one of them.
func runSoaks(ctx context.Context, out, errs io.Writer, f soakFlags) error {
	failed := false
	for _, database := range slices.Compact(f.databases) {
		var err error
		if database == onPostgres {
			err = runSoakOnServer(ctx, out, errs, f)
		} else {
			err = runSoak(ctx, out, errs, f, database, "", nil)
		}
		switch {
		case errors.Is(err, command.ErrFailed):
			failed = true
		case err != nil:
			return err
		}
	}
	if failed {
		return command.ErrFailed
	}
	return nil
}

// runSoakOnServer soaks a new database of a PostgreSQL server, if there is one.
func runSoakOnServer(ctx context.Context, out, errs io.Writer, f soakFlags) (err error) {
	server, err := postgres.Open(ctx)
	if errors.Is(err, postgres.ErrMissing) {
		return tellMissing(out, onPostgres, err, f.json)
	}
	if err != nil {
		return fmt.Errorf("soak: %w", err)
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	url, drop, err := server.NewDatabase(ctx)
	if err != nil {
		return fmt.Errorf("soak: %w", err)
	}
	defer func() { err = errors.Join(err, drop(context.WithoutCancel(ctx))) }()
	var restart func(context.Context) error
	switch {
	case server.Own() && f.relaxed: // a commit that was not waited for would be lost by a crash
		restart = server.Restart
	case server.Own():
		restart = server.Crash
	}
	return runSoak(ctx, out, errs, f, onPostgres, url, restart)
}

// tellMissing says that there is no server.
func tellMissing(out io.Writer, database string, missing error, asJSON bool) error {
	why := command.OneLine(missing.Error())
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(struct {
			Database string `json:"database"`
			Missing  string `json:"missing"`
		}{database, why})
	} else {
		_, err = fmt.Fprintf(out, "soak · %s · did not run: %s\n", database, why)
	}
	if err != nil {
		return fmt.Errorf("soak: %w", err)
	}
	return nil
}

// runSoak soaks a database and prints what came of it.
func runSoak(ctx context.Context, out, errs io.Writer, f soakFlags, database, url string, restart func(context.Context) error) error {
	cfg := soak.Config{
		URL: url, Time: f.time, Seed: f.seed, Processes: f.processes, Goroutines: f.goroutines,
		KillEvery: f.killEvery, Relaxed: f.relaxed, Restart: restart,
	}
	if f.keep != "" {
		cfg.Keep = strings.TrimSuffix(f.keep, string(filepath.Separator)) + "-" + database
	}
	screen := command.NewScreen(name, errs)
	defer screen.Clear()
	cfg.Progress = func(what string) { screen.Say("soak of " + database + " · " + what) }
	report, err := soak.Run(ctx, cfg)
	if err != nil {
		return err
	}
	screen.Clear()
	return tellSoak(out, database, report, f.json)
}

// tellSoak prints a report. The error is command.ErrFailed if something does not hold.
func tellSoak(out io.Writer, database string, r *soak.Report, asJSON bool) error {
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(struct {
			Database string `json:"database"`
			*soak.Report
		}{database, r})
	} else {
		err = printSoak(out, database, r)
	}
	switch {
	case err != nil:
		return fmt.Errorf("soak: %w", err)
	case !r.Clean:
		return command.ErrFailed
	}
	return nil
}
