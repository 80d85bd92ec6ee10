package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes.
const (
	ExitOK          = 0
	ExitFailed      = 1   // there is a wrong verdict
	ExitError       = 2   // there is no verdict
	ExitInterrupted = 130 // as in shells
)

// ErrFailed makes the exit code [ExitFailed] without a further message, because the failure has
// been printed.
var ErrFailed = errors.New("failed")

// echo is the time after a signal in which others are the same one: timeout(1) sends it to its
// child and to that child's group, and a terminal sends to all what a wrapper passes on as well.
const echo = time.Second

// Main runs a command as this process, and exits. The first signal ends the command's context, a
// later one the process.
func Main(root *cobra.Command) { serve(root, echo) }

func serve(root *cobra.Command, echo time.Duration) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		time.Sleep(echo)
		stop()
	})
	code := Execute(ctx, root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Execute runs a command and returns the exit code. It prints an error as one line, the last one on
// errs, after the command's name.
func Execute(ctx context.Context, root *cobra.Command, args []string, in io.Reader, out, errs io.Writer) int {
	var lost error // of printing help
	prepare(root, &lost)
	root.SetArgs(longFlags(args, flagsOf(root, args)))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	switch err := cmp.Or(root.ExecuteContext(ctx), lost); {
	case err == nil:
		return ExitOK
	case ctx.Err() != nil:
		fmt.Fprintf(errs, "%s: interrupted\n", root.Name())
		if errors.Is(err, ErrFailed) {
			return ExitFailed
		}
		return ExitInterrupted
	case errors.Is(err, ErrFailed):
		if more := beside(err); more != nil {
			fmt.Fprintf(errs, "%s: %s\n", root.Name(), OneLine(more.Error()))
		}
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

// beside returns what was joined to [ErrFailed], such as a file that could not be written after a
// failure; nil if there is nothing.
func beside(err error) (more error) {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case ok:
		for _, e := range joined.Unwrap() {
			more = errors.Join(more, beside(e))
		}
		return more
	case errors.Is(err, ErrFailed):
		return nil
	}
	return err
}

// Wrong makes the exit code [ExitFailed] for an error, which is printed and says which verdict is
// wrong.
func Wrong(err error) error { return wrong{err} }

type wrong struct{ error }

func (w wrong) Unwrap() error { return w.error }

// Coded returns an error with its own exit code.
func Coded(code int, err error) error { return coded{err, code} }

type coded struct {
	error
	code int
}

func (c coded) Unwrap() error { return c.error }

// prepare sets the behaviour that all commands share on a command and its subcommands. An error of
// printing help is stored in lost, because cobra has no place for it.
func prepare(root *cobra.Command, lost *error) {
	root.SilenceErrors, root.SilenceUsage = true, true
	if root.Args == nil {
		root.Args = cobra.ArbitraryArgs // RunE reports them as unknown commands
	}
	unsorted(root)
	root.SetUsageFunc(func(c *cobra.Command) error { return printUsage(c, c.OutOrStderr()) })
	root.SetHelpCommand(helpCommand())
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { *lost = printHelp(c, c.OutOrStdout()) })
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(FlagError)
}

// unsorted keeps the flags of a command and its subcommands in their order of declaration.
func unsorted(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	for _, c := range cmd.Commands() {
		unsorted(c)
	}
}

// helpCommand prints what -h prints.
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

// Unknown returns the error for an unknown subcommand.
func Unknown(root *cobra.Command, name string) error {
	return fmt.Errorf("unknown command: got %q, %s", name, meant(name, commands(root)))
}

// flagsOf returns the flags of the command that the arguments begin with.
func flagsOf(cmd *cobra.Command, args []string) *pflag.FlagSet {
	for _, c := range cmd.Commands() {
		if len(args) > 0 && c.Name() == args[0] {
			return flagsOf(c, args[1:])
		}
	}
	return cmd.Flags()
}

// commands returns the names of the subcommands that -h lists.
func commands(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}
