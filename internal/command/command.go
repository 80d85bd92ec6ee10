package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes.
const (
	ExitOK          = 0
	ExitFailed      = 1   // a verdict is wrong
	ExitError       = 2   // there is none
	ExitInterrupted = 130 // as shells say it
)

// ErrFailed makes the exit code [ExitFailed] without another word: what is wrong
// has been said.
var ErrFailed = errors.New("failed")

// Main runs a command as this process, and ends it. A signal ends the command's
// context, a second one the process.
func Main(root *cobra.Command) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := Execute(ctx, root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Execute runs a command and returns the exit code. Its error is one line, the last
// on errs, which begins with the command's name.
func Execute(ctx context.Context, root *cobra.Command, args []string, in io.Reader, out, errs io.Writer) int {
	prepare(root)
	root.SetArgs(longFlags(args, flagsOf(root, args)))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	switch err := root.ExecuteContext(ctx); {
	case err == nil:
		return ExitOK
	case ctx.Err() != nil:
		fmt.Fprintf(errs, "%s: interrupted\n", root.Name())
		if errors.Is(err, ErrFailed) {
			return ExitFailed
		}
		return ExitInterrupted
	case errors.Is(err, ErrFailed):
		return ExitFailed
	default:
		fmt.Fprintf(errs, "%s: %s\n", root.Name(), OneLine(err.Error()))
		var c coded
		if errors.As(err, &c) {
			return c.code
		}
		if errors.As(err, new(wrong)) {
			return ExitFailed
		}
		return ExitError
	}
}

// Wrong makes the exit code [ExitFailed]: the error, which is printed, says what
// verdict is wrong.
func Wrong(err error) error { return wrong{err} }

type wrong struct{ error }

func (w wrong) Unwrap() error { return w.error }

// Coded is an error for which a command ends with a code of its own.
func Coded(code int, err error) error { return coded{err, code} }

type coded struct {
	error
	code int
}

func (c coded) Unwrap() error { return c.error }

// prepare gives a command and its subcommands the manners of all of ours.
func prepare(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	if root.Args == nil {
		root.Args = cobra.ArbitraryArgs // of which RunE says that they are no commands
	}
	unsorted(root)
	root.SetUsageFunc(func(c *cobra.Command) error { return printUsage(c, c.OutOrStderr()) })
	root.SetHelpCommand(helpCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(FlagError)
}

// unsorted has the flags of a command and of those below it told in their order.
func unsorted(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	for _, c := range cmd.Commands() {
		unsorted(c)
	}
}

// helpCommand prints what -h does.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "say more about a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, _, err := cmd.Root().Find(args)
			if err == nil && about == cmd.Root() && len(args) > 0 {
				err = Unknown(about, args[0])
			}
			if err != nil {
				return err
			}
			return about.Help()
		},
	}
}

// Unknown is the error about a subcommand that there is not.
func Unknown(root *cobra.Command, name string) error {
	return fmt.Errorf("unknown command: got %q, %s", name, meant(name, commands(root)))
}

// flagsOf are those of the command that the arguments begin with.
func flagsOf(cmd *cobra.Command, args []string) *pflag.FlagSet {
	for _, c := range cmd.Commands() {
		if len(args) > 0 && c.Name() == args[0] {
			return flagsOf(c, args[1:])
		}
	}
	return cmd.Flags()
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
