package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ErrNoPlace: a document has no place for a table.
var ErrNoPlace = errors.New("no place for the table")

// A Place is the part of a document between two lines, which a command writes.
type Place struct{ Begin, End string }

// write puts text into its place in a file, instead of what is there. The error
// matches [ErrNoPlace], or is that of the file.
func (p Place) write(file, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), p.Begin+"\n")
	_, after, ended := strings.Cut(rest, p.End+"\n")
	if !ok || !ended {
		return fmt.Errorf("%s: %w: want the lines %s and %s", file, ErrNoPlace, p.Begin, p.End)
	}
	return os.WriteFile(file, []byte(before+p.Begin+"\n"+text+p.End+"\n"+after), 0o644)
}

// A Page is what a measurement writes: where to, and how it says what it is of.
type Page struct {
	Commit string // that is measured; empty is what git says
	File   string // empty is standard output

	again string // the command that writes it
}

// Flags gives a command the flags of its page.
func (p *Page) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&p.File, "o", "o", "", "write to this `file` instead of standard output")
	cmd.Flags().StringVar(&p.Commit, "commit", "", "name this `commit` as what is measured (default what git says)")
	cmd.PreRun = func(cmd *cobra.Command, args []string) { p.again = again(cmd, args) }
}

// again is the command line of a command, from the root of a checkout.
func again(cmd *cobra.Command, args []string) string {
	words := []string{"cd bench && go run ./cmd/bench"}
	if _, sub, ok := strings.Cut(cmd.CommandPath(), " "); ok {
		words = append(words, sub)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "commit":
		case f.Value.Type() == "bool":
			words = append(words, "-"+f.Name)
		default:
			value := f.Value.String()
			if list, ok := f.Value.(pflag.SliceValue); ok {
				value = strings.Join(list.GetSlice(), ",")
			}
			words = append(words, "-"+f.Name, quoted(value))
		}
	})
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " '\"$&|;<>()*?[]#~\\`\n\t") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Made says what a page is worth nothing without: of which commit it is, on what
// machine it was made, when, and by which command. The notes are said of the machine
// too.
func (p Page) Made(ctx context.Context, notes ...string) string {
	said := slices.Concat([]string{
		"Commit " + p.Of(ctx),
		fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
		cpu(), fmt.Sprint("GOMAXPROCS ", runtime.GOMAXPROCS(0)), time.Now().UTC().Format(time.DateOnly),
	}, notes)
	return strings.Join(said, ", ") + ", by\n\n    " + p.again + "\n\n"
}

// Write writes the whole page.
func (p Page) Write(out io.Writer, text string) error {
	if p.File != "" {
		return os.WriteFile(p.File, []byte(text), 0o644)
	}
	_, err := io.WriteString(out, text)
	return err
}

// WriteInto writes a part of a page, and puts it into its place in the file.
func (p Page) WriteInto(place Place, out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil || p.File == "" {
		return err
	}
	return place.write(p.File, text)
}

// Of is the commit that a page is of.
func (p Page) Of(ctx context.Context) string { return cmp.Or(p.Commit, commit(ctx)) }

// commit names the state of the source, as far as git knows.
func commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--abbrev=7", "--dirty= with uncommitted changes").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// Load says how busy the machine was: on a busy one only ratios mean anything.
func Load() string {
	averages, _ := os.ReadFile("/proc/loadavg")
	if words := strings.Fields(string(averages)); len(words) > 2 {
		return "load average in the last minutes " + words[2]
	}
	return "load unknown"
}

// cpu names the processor, as far as the system tells.
func cpu() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return fmt.Sprintf("%s, %d processors", strings.TrimLeft(strings.TrimSpace(name), ": \t"), runtime.NumCPU())
		}
	}
	return fmt.Sprintf("%d processors", runtime.NumCPU())
}

// Verdict is a line on something that is demanded: whether it is met, and what
// was measured.
func Verdict(demand string, met bool, measured string) string {
	verdict := "yes"
	if !met {
		verdict = "**no**"
	}
	return fmt.Sprintf("- %s: %s (%s)\n", demand, verdict, measured)
}
