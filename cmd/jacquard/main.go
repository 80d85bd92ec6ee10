// Command jacquard runs a package's tests under many schedules, replays the ones
// that fail, and shows the documented races: reproduced as reported, under the
// suggested fix, and fixed. See jacquard -h.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit codes.
const (
	exitOK          = 0
	exitFailed      = 1   // a verdict is wrong
	exitError       = 2   // there is none
	exitInterrupted = 130 // as shells say it
)

// errFailed makes the exit code 1 without another word: what is wrong has been
// said.
var errFailed = errors.New("failed")

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	return execute(ctx, rootCommand(everything()), args, in, out, errs)
}

// execute runs a command. Its error is one line, the last on errs.
func execute(ctx context.Context, root *cobra.Command, args []string, in io.Reader, out, errs io.Writer) int {
	root.SetArgs(longFlags(args, flagsOf(root, args)))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	switch err := root.ExecuteContext(ctx); {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(errs, "jacquard: interrupted")
		return exitInterrupted
	case errors.Is(err, errFailed):
		return exitFailed
	default:
		fmt.Fprintf(errs, "jacquard: %s\n", oneLine(err.Error()))
		return exitError
	}
}

func rootCommand(shown show) *cobra.Command {
	root := &cobra.Command{
		Use:   "jacquard",
		Short: "find concurrency bugs in the tests that are there, and replay them",
		Long: `Jacquard runs the tests that a Go module has under schedules of its own choosing,
finds the one that breaks them, and replays it. Begin with

  jacquard test ./...

which takes the flags of go test. jacquard doctor says whether control is possible.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknown(cmd, args[0])
		},
	}
	root.AddGroup(&cobra.Group{ID: forTests, Title: "For the tests of any module"}, &cobra.Group{ID: forRaces, Title: "For the documented races, in a checkout of Jacquard"})
	for _, c := range []*cobra.Command{testCommand(), replayCommand(), doctorCommand(), versionCommand()} {
		c.GroupID = forTests
		root.AddCommand(c)
	}
	for _, c := range []*cobra.Command{racesCommand(shown), stressCommand(), soakCommand()} {
		c.GroupID = forRaces
		root.AddCommand(c)
	}
	root.AddCommand(workCommand())
	for _, c := range root.Commands() {
		c.Flags().SortFlags = false
	}
	root.SetUsageFunc(func(c *cobra.Command) error { return printUsage(c, c.OutOrStderr()) })
	root.SetHelpCommand(helpCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	return root
}

// helpCommand prints what -h does.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "say more about a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, _, err := cmd.Root().Find(args)
			if err == nil && about == cmd.Root() && len(args) > 0 {
				err = unknown(about, args[0])
			}
			if err != nil {
				return err
			}
			return about.Help()
		},
	}
}

func unknown(root *cobra.Command, name string) error {
	return fmt.Errorf("unknown command: got %q, want one of %s", name, strings.Join(commands(root), ", "))
}

// flagsOf are those of the command that the arguments begin with.
func flagsOf(root *cobra.Command, args []string) *pflag.FlagSet {
	for _, c := range root.Commands() {
		if len(args) > 0 && c.Name() == args[0] {
			return c.Flags()
		}
	}
	return root.Flags()
}

// commands are the names of those that -h lists.
func commands(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// oneLine joins the lines of a text. It has no tabs, which columns are made of.
func oneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), "\t", " ")
}
