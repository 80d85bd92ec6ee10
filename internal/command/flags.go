package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// longFlags allows flags with one dash, as the go command does, and -args before arguments that are
// not the command's own. It does not change the value of a flag, whatever the value begins with.
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

// FlagError rephrases a flag error to say what was got and what is wanted.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && len(flagNames(cmd)) == 0 && cmd.HasAvailableSubCommands():
		return fmt.Errorf("%sunknown flag: got -%s, want a command first, one of %s", prefix(cmd), unknown.GetSpecifiedName(), strings.Join(commands(cmd), ", "))
	case errors.As(err, &unknown):
		return fmt.Errorf("%sunknown flag: got -%s, %s", prefix(cmd), unknown.GetSpecifiedName(), meant("-"+unknown.GetSpecifiedName(), flagNames(cmd)))
	case errors.As(err, &missing):
		f := missing.GetFlag()
		value, _ := pflag.UnquoteUsage(f)
		return fmt.Errorf("%s-%s: got no value, want -%s %s", prefix(cmd), f.Name, f.Name, value)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		want := wanted(f.Value.Type())
		if v, ok := f.Value.(Wanting); ok {
			want = v.Wants()
		}
		return fmt.Errorf("%s-%s: got %q, want %s", prefix(cmd), f.Name, invalid.GetValue(), want)
	}
	return fmt.Errorf("%s%w", prefix(cmd), err)
}

// Filled refuses empty values of flags that need one, as from an unset variable of the shell.
func Filled(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value, _ := pflag.UnquoteUsage(f)
		if err == nil && strings.Trim(f.Value.String(), "[]") == "" && slices.Contains([]string{"file", "folder", "commit", "command", "i/n", "names"}, value) {
			err = fmt.Errorf("-%s: got an empty value, want -%s %s", f.Name, f.Name, value)
		}
	})
	return err
}

// Wanting is implemented by flag values that describe their valid values.
type Wanting interface{ Wants() string }

// prefix returns the beginning of an error: the name of a subcommand. [Execute] puts the command's
// own name in front.
func prefix(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return cmd.Name() + ": "
}

// wanted describes the values of a type of flag.
func wanted(kind string) string {
	switch {
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "uint"):
		return "a whole number, at least 1" // these flags are seeds
	case strings.HasPrefix(kind, "int"):
		return "a whole number"
	case kind == "duration":
		return "a duration, such as 90s or 5m"
	}
	return "a " + kind
}

// meant returns a suggestion: a name that is written almost like got, or all names.
func meant(got string, names []string) string {
	best, least := "", len(got)/2
	for _, name := range names {
		if d := distance(got, name); d < least && d <= 2 {
			best, least = name, d
		}
	}
	switch {
	case len(names) == 0:
		return "want none"
	case best != "":
		return "did you mean " + best + "?"
	}
	return "want one of " + strings.Join(names, ", ")
}

// distance counts the letters that differ, are missing, are extra, or are swapped with their
// neighbour (optimal string alignment).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

func flagNames(cmd *cobra.Command) (names []string) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" && f.Name != "version" {
			names = append(names, "-"+f.Name)
		}
	})
	return names
}

// Parted splits the arguments of a command into its own and those after -args, which are for the
// test binary.
func Parted(cmd *cobra.Command, args []string) (own, tests []string) {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}

// Arguments requires from least to most arguments; what describes them in the error.
func Arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := Given(args, what)
		if n := len(args); n < least || n > most {
			err = fmt.Errorf("arguments: got %d %q, want %s", n, args, what)
		}
		if err != nil {
			return fmt.Errorf("%s%w", prefix(cmd), err)
		}
		return nil
	}
}

// Given refuses empty arguments, as from an unset variable of the shell.
func Given(args []string, what string) error {
	if slices.Contains(args, "") {
		return fmt.Errorf("arguments: got an empty one in %q, want %s", args, what)
	}
	return nil
}
