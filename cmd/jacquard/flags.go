package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// longFlags lets flags be written with one dash, as the go command does, and
// -args stand for what follows and is no flag of ours. The value of a flag stays
// as it is, whatever it begins with.
func longFlags(args []string, flags *pflag.FlagSet) []string {
	long := make([]string, len(args))
	copy(long, args)
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" || a == "-args" || a == "--args" {
			long[i] = "--"
			break
		}
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		if len(a) > 2 && isLetter(a[1]) {
			long[i] = "-" + a
		}
		if f := flags.Lookup(strings.TrimLeft(a, "-")); f != nil && f.NoOptDefVal == "" {
			i++
		}
	}
	return long
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// flagError says what was got and what is wanted.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && cmd.Name() == "test" && elsewhereFlag(unknown.GetSpecifiedName()) != nil:
		return fmt.Errorf("test: %w", elsewhereFlag(unknown.GetSpecifiedName()))
	case errors.As(err, &unknown) && !cmd.HasParent():
		return fmt.Errorf("unknown flag: got -%s, want a command first, one of %s", unknown.GetSpecifiedName(), strings.Join(commands(cmd), ", "))
	case errors.As(err, &unknown):
		return fmt.Errorf("%s: unknown flag: got -%s, want one of %s", cmd.Name(), unknown.GetSpecifiedName(), flagNames(cmd))
	case errors.As(err, &missing):
		f := missing.GetFlag()
		value, _ := pflag.UnquoteUsage(f)
		return fmt.Errorf("%s: -%s: got no value, want -%s %s", cmd.Name(), f.Name, f.Name, value)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if o, ok := f.Value.(*once); ok {
			return fmt.Errorf("%s: -%s: got %q, want %s: %s", cmd.Name(), f.Name, invalid.GetValue(), o.want, o.why)
		}
		return fmt.Errorf("%s: -%s: got %q, want %s", cmd.Name(), f.Name, invalid.GetValue(), wanted(f.Value.Type()))
	}
	return fmt.Errorf("%s: %w", cmd.Name(), err)
}

// wanted describes the values of a type of flag.
func wanted(kind string) string {
	switch {
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "uint"):
		return "a whole number, at least 0"
	case strings.HasPrefix(kind, "int"):
		return "a whole number"
	}
	return "a " + kind
}

func flagNames(cmd *cobra.Command) string {
	var names []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			names = append(names, "-"+f.Name)
		}
	})
	return strings.Join(names, ", ")
}

// parted divides the arguments of a command into its own and those behind -args,
// which are for the test binary.
func parted(cmd *cobra.Command, args []string) (own, tests []string) {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}

// arguments wants between least and most of them, which are what it says.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if n := len(args); n < least || n > most {
			return fmt.Errorf("%s: arguments: got %d %q, want %s", cmd.Name(), n, args, what)
		}
		return nil
	}
}
