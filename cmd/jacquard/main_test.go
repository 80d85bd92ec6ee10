package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files")

// The tests run at the root of the module, as the command does, so that all of
// them use one controlled binary.
const here = "cmd/jacquard"

func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){"jacquard": main})
}

// tidy runs the tests and then looks for goroutines that they left behind.
type tidy struct{ *testing.M }

func (m tidy) Run() int {
	if err := os.Chdir(filepath.FromSlash("../..")); err != nil {
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

// command is the built command.
func command(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("jacquard")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// told is what a run in this process said.
type told struct {
	code      int
	out, errs string
}

func jacquard(t *testing.T, args ...string) told {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return told{code, out.String(), errs.String()}
}

// golden compares a text with a file, or writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(here, "testdata", "golden", name)
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

// newTestPool is a pool of one worker.
func newTestPool(t *testing.T) *pool {
	t.Helper()
	p, err := newPool(context.Background(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	p.workers = 1
	return p
}

// refused runs a command with each of the arguments: it has to end with an error that begins as its key says, and without
// output.
func refused(t *testing.T, command string, arguments map[string][]string) {
	t.Helper()
	for want, args := range arguments {
		got := jacquard(t, append([]string{command}, args...)...)
		if got.code != exitError || got.out != "" || !strings.HasPrefix(got.errs, want) {
			t.Errorf("%v: got code %d, %q, %q, want %d and %q", args, got.code, got.out, got.errs, exitError, want)
		}
	}
}
