// Package commandtest holds what the tests of the commands share: they run the command in this
// process, as a process, and from scripts.
package commandtest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/internal/command"
)

var update = flag.Bool("update", false, "write the golden files")

// A Command is a command under test.
type Command struct {
	Name string // the name of its process
	Here string // the folder of its tests, relative to the root of the module
	Root func() *cobra.Command
}

// Main is the TestMain of the command's tests. They run at the root of the module,
// as the command does, so that all of them use one controlled binary.
func (c Command) Main(m *testing.M) {
	testscript.Main(tidy{m, c.Here}, map[string]func(){c.Name: func() { command.Main(c.Root()) }})
}

// tidy runs the tests and then checks for goroutines that they left behind.
type tidy struct {
	*testing.M
	here string
}

func (m tidy) Run() int {
	up, err := filepath.Rel(filepath.FromSlash(m.here), ".")
	if err == nil {
		err = os.Chdir(up)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.M.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// Path returns the path of the built command.
func (c Command) Path(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath(c.Name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Told is the result of a run in this process.
type Told struct {
	Code      int
	Out, Errs string
}

// Run runs the command in this process.
func (c Command) Run(t *testing.T, args ...string) Told {
	t.Helper()
	return Execute(t, c.Root(), args...)
}

// Execute runs a root command in this process.
func Execute(t *testing.T, root *cobra.Command, args ...string) Told {
	t.Helper()
	var out, errs bytes.Buffer
	code := command.Execute(t.Context(), root, args, strings.NewReader(""), &out, &errs)
	return Told{code, out.String(), errs.String()}
}

// Golden compares a text with a file, or writes the file.
func (c Command) Golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(filepath.FromSlash(c.Here), "testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// Refused runs a subcommand with each list of arguments: it must end with an error that begins as
// its key says, and without output.
func (c Command) Refused(t *testing.T, sub string, arguments map[string][]string) {
	t.Helper()
	for want, args := range arguments {
		got := c.Run(t, append([]string{sub}, args...)...)
		if got.Code != command.ExitError || got.Out != "" || !strings.HasPrefix(got.Errs, want) {
			t.Errorf("%v: got code %d, %q, %q, want %d and %q", args, got.Code, got.Out, got.Errs, command.ExitError, want)
		}
	}
}

// Words returns the lines that are not progress.
func (c Command) Words(errs string) []string {
	var lines []string
	for line := range strings.Lines(errs) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, c.Name+": ") || !strings.HasSuffix(line, "…") {
			lines = append(lines, line)
		}
	}
	return lines
}
