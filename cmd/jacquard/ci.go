package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/bundle"
)

// knownFile is the default path of a module's known failures.
var knownFile = filepath.Join("testdata", "jacquard", "known.json")

// A ciRun holds the flags and arguments of ci.
type ciRun struct {
	testRun
	out string
}

func ciCommand() *cobra.Command {
	var c ciRun
	cmd := &cobra.Command{
		Use:   "ci [PACKAGES] [-args ...]",
		Short: "run the tests as test does, and write what CI systems show",
		Long: `ci runs tests as jacquard test does: all tests of the module, unless packages are named.
It writes a folder to keep with the CI run:

  index.html   a page with each failure step by step, the source, and who holds what
  junit.xml    the results in JUnit's format
  summary.md   a summary in Markdown
  cards        the schedule of each failure
  ledger.json  what is known of each failure; see docs/json.md
  run.json     all of it, for jacquard merge

With GITHUB_ACTIONS=true ci annotates failures in the diff. It adds the summary to that
of the job if GITHUB_STEP_SUMMARY names it. Failures that are listed in
testdata/jacquard/known.json are run first and do not fail the run. To accept what was
found, copy ledger.json there.

The exit code is that of jacquard test.`,
		Example: `  jacquard ci
  jacquard ci -total 10m -shard 1/4 ./...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.parse(cmd, args); err != nil {
				return fmt.Errorf("ci: %w", err)
			}
			return named("ci", c.run(cmd))
		},
	}
	c.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&c.out, "out", "jacquard-ci", "write to this `folder`")
	f.Lookup("known").Usage += " (default " + filepath.ToSlash(knownFile) + ", if there is one)"
	cmd.SetFlagErrorFunc(testFlagError)
	return cmd
}

// parse reads the arguments and checks the flags.
func (c *ciRun) parse(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(c.testRun.parse(cmd, args), checkFolder("out", c.out)); err != nil {
		return err
	}
	if arg0 := os.Args[0]; c.Command == arg0 {
		c.Command = filepath.Base(arg0) // the page is read on other machines, where this path is not that of the command
	}
	if len(c.Packages) == 0 {
		c.Packages = []string{"./..."}
	}
	if at := filepath.Join(c.Dir, knownFile); c.Known == "" {
		if _, err := os.Stat(at); err == nil {
			c.Known = at
		}
	}
	return nil
}

// run runs the tests and writes the results, even if the run was interrupted.
func (c *ciRun) run(cmd *cobra.Command) error {
	run := &bundle.Run{Time: time.Now().UTC().Truncate(time.Second), Commit: suite.Commit(cmd.Context(), c.Dir)}
	if c.Shard.Count > 1 {
		run.Shards = []string{c.Shard.String()}
	}
	if err := c.begin(); err != nil {
		return err
	}
	c.Cards, c.Ledger = filepath.Join(c.out, bundle.Cards), filepath.Join(c.out, bundle.Ledger)
	c.plain, c.Done = true, run.Add
	out := &lenient{to: cmd.OutOrStdout()}
	c.Width = command.Fit(c.Width, out.to, 124)
	ran := c.testRun.run(cmd.Context(), out, cmd.ErrOrStderr())
	if interrupted := new(suite.Interrupted); errors.As(ran, &interrupted) {
		run.Ended = interrupted.Error()
	} else if ran != nil && !errors.Is(ran, command.ErrFailed) {
		return ran
	}
	if err := run.Write(c.out); err != nil {
		return errors.Join(err, ran)
	}
	return errors.Join(ran, publish(run, c.out, out, os.Getenv), out.err)
}

// A lenient writer keeps the first error of a write to itself, so that a full disk behind the
// standard output does not keep the folder from being written.
type lenient struct {
	to  io.Writer
	err error
}

func (l *lenient) Write(b []byte) (int, error) {
	if l.err == nil {
		_, l.err = l.to.Write(b)
	}
	return len(b), nil
}

// begin creates the folder, with the known failures as the initial ledger.
func (c *ciRun) begin() error {
	if err := os.MkdirAll(c.out, 0o777); err != nil {
		return err
	}
	text, err := []byte(nil), error(nil)
	if c.Known != "" {
		text, err = os.ReadFile(c.Known)
	}
	ledger := filepath.Join(c.out, bundle.Ledger)
	switch {
	case errors.Is(err, fs.ErrNotExist): // the run reports it
		return nil
	case err != nil:
		return err
	case text == nil:
		err = os.Remove(ledger)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return os.WriteFile(ledger, text, 0o666)
}

// publish passes the results to GitHub, if the run is there, and prints where the other files are.
func publish(run *bundle.Run, dir string, out io.Writer, env func(string) string) error {
	if env("GITHUB_ACTIONS") == "true" {
		if err := run.Annotate(out); err != nil {
			return err
		}
	}
	if file := env("GITHUB_STEP_SUMMARY"); file != "" {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		_, err = io.WriteString(f, run.Summary())
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "jacquard: see %s; the folder has %s too\n", filepath.Join(dir, bundle.Page), bundle.JUnit)
	return err
}

func mergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "combine the folders that ci wrote on several machines",
		Long: `merge combines the folders that jacquard ci wrote for the shards of one run: into one
page, one JUnit file, one ledger and all cards. It prints, and annotates on GitHub, what
ci would have.

The exit code is
  0  nothing failed
  1  something failed
  2  a folder was not written by ci, or the run is incomplete: a shard is missing or
     was interrupted`,
		Example: `  jacquard merge -out jacquard-ci shard-*`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("merge: arguments: got none, want the folders that jacquard ci has left")
			}
			return named("merge", command.Given(args, "the folders that jacquard ci has left"))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return named("merge", merge(cmd, out, args))
		},
	}
	cmd.Flags().StringVar(&out, "out", "jacquard-ci", "write to this `folder`")
	return cmd
}

// merge merges folders and prints the result of the run.
func merge(cmd *cobra.Command, out string, shards []string) error {
	if err := cmp.Or(command.Filled(cmd), checkFolder("out", out)); err != nil {
		return err
	}
	run, err := bundle.Merge(out, shards)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), run.Counts()); err != nil {
		return err
	}
	if err := publish(run, out, cmd.OutOrStdout(), os.Getenv); err != nil {
		return err
	}
	if !run.Counts().OK() {
		return command.ErrFailed
	}
	if why := run.Lacks(); why != "" {
		return errors.New("the run is not whole: " + why)
	}
	return nil
}
