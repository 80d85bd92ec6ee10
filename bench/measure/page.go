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

// ErrNoPlace says that a document has no place for a table.
var ErrNoPlace = errors.New("no place for the table")

// A Place is the part of a document between two lines, which a command writes.
type Place struct{ Begin, End string }

// write replaces the text in its place in a file. The error matches [ErrNoPlace], or is
// that of the file.
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

// A Page is the output of a measurement: its file, and what it says about its origin.
type Page struct {
	Commit string // the commit measured; if empty, git's current one
	File   string // empty is standard output

	again string // the command that writes it
}

// Flags gives a command the flags of its page.
func (p *Page) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&p.File, "o", "o", "", "write to this `file` instead of standard output")
	cmd.Flags().StringVar(&p.Commit, "commit", "", "name this `commit` as what is measured (default what git says)")
	cmd.PreRun = func(cmd *cobra.Command, args []string) { p.again = again(cmd, args) }
}

// again returns the command line of a command, from the root of a checkout.
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

// quoted quotes a word for a shell.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " '\"$&|;<>()*?[]#~\\`\n\t") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Made describes the origin of a page, without which it is worthless: the commit, the
// machine, the date, and the command. The notes are added to the description of the
// machine.
func (p Page) Made(ctx context.Context, notes ...string) string {
	said := slices.Concat([]string{
		"Commit " + p.Of(ctx),
		fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
		cpu(), fmt.Sprint("GOMAXPROCS ", runtime.GOMAXPROCS(0)), time.Now().UTC().Format(time.DateOnly),
	}, notes)
	return strings.Join(said, ", ") + ", by\n\n    " + p.again + "\n\n"
}

// Write writes the whole page to its file, or to out if it has none.
func (p Page) Write(out io.Writer, text string) error {
	if p.File != "" {
		return os.WriteFile(p.File, []byte(text), 0o644)
	}
	_, err := io.WriteString(out, text)
	return err
}

// WriteInto writes a part of a page, and inserts it in its place in the file.
func (p Page) WriteInto(place Place, out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil || p.File == "" {
		return err
	}
	return place.write(p.File, text)
}

// Of returns the commit that a page measures.
func (p Page) Of(ctx context.Context) string { return cmp.Or(p.Commit, commit(ctx)) }

// commit names the state of the source, according to git.
func commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--abbrev=7", "--dirty= with uncommitted changes").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// Load says how busy the machine was: on a busy one only ratios are meaningful.
func Load() string {
	averages, _ := os.ReadFile("/proc/loadavg")
	if words := strings.Fields(string(averages)); len(words) > 2 {
		return "load average in the last minutes " + words[2]
	}
	return "load unknown"
}

// cpu names the processor, if the system provides the name.
func cpu() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return fmt.Sprintf("%s, %d processors", strings.TrimLeft(strings.TrimSpace(name), ": \t"), runtime.NumCPU())
		}
	}
	return fmt.Sprintf("%d processors", runtime.NumCPU())
}

// Verdict returns a line about a demand: whether it is met, and what was
// measured.
func Verdict(demand string, met bool, measured string) string {
	verdict := "yes"
	if !met {
		verdict = "**no**"
	}
	return fmt.Sprintf("- %s: %s (%s)\n", demand, verdict, measured)
}
