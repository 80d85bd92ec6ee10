package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// printHelp prints what -h prints: what a command is for, and how to call it.
func printHelp(cmd *cobra.Command, out io.Writer) error {
	about := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short))
	_, err := io.WriteString(out, about+"\n\n"+cmd.UsageString())
	return err
}

// printUsage prints how to call a command, with its flags in the go command's style, in the order
// of declaration.
func printUsage(cmd *cobra.Command, out io.Writer) error {
	var b strings.Builder
	line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	if cmd.HasAvailableSubCommands() {
		line += " COMMAND"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&b, "  %-9s %s\n", c.Name(), c.Short)
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if flags := flagUsages(cmd.LocalFlags()); flags != "" {
		fmt.Fprintf(&b, "\nFlags:\n%s", flags)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND -h says more about a command.\n", cmd.Name())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// flagUsages describes flags, one per line.
func flagUsages(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		value, what := pflag.UnquoteUsage(f)
		if value != "" {
			value = " " + value
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && d != "[]" {
			what += " (default " + d + ")"
		}
		fmt.Fprintf(&b, "  %-20s %s\n", "-"+f.Name+value, what)
	})
	return b.String()
}
