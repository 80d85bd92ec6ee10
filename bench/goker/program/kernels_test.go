package program_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench/goker/program"
)

// kernel is written for this test, in the form of the others.
const kernel = `package main

import "runtime/pprof"

func init() {
	register("Own1", Own1)
}

func Own1() {
	prof := pprof.Lookup("goroutineleak")
	defer prof.WriteTo(nil, 2)
	for i := 0; i <= 99; i++ {
		go func() { select {} }()
	}
}
`

func find(t *testing.T, files map[string]string) ([]program.Kernel, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return program.FindIn(dir)
}

// own returns the parsed kernel.
func own(t *testing.T) program.Kernel {
	t.Helper()
	all, err := find(t, map[string]string{"own1.go": kernel, "main.go": "package main\n", "README.md": "# Own\n"})
	if err != nil || len(all) != 1 {
		t.Fatalf("got %v, %v, want one kernel", all, err)
	}
	return all[0]
}

func TestFind(t *testing.T) {
	k := own(t)
	if k.Name != "Own1" || k.File != "own1.go" || k.Text != kernel {
		t.Errorf("got %s in %s, want Own1 in own1.go, with its text", k.Name, k.File)
	}
	if k.Loop == nil || k.Loop.Rounds != 100 || k.Loop.Line != 12 {
		t.Errorf("got loop %+v, want 100 rounds in line 12", k.Loop)
	}
}

func TestNoKernels(t *testing.T) {
	for name, get := range map[string]func() ([]program.Kernel, error){
		"no folder": func() ([]program.Kernel, error) { return program.FindIn(filepath.Join(t.TempDir(), "goker")) },
		"empty":     func() ([]program.Kernel, error) { return find(t, nil) },
	} {
		if all, err := get(); !errors.Is(err, program.ErrNoKernels) {
			t.Errorf("%s: got %v, %v, want ErrNoKernels", name, all, err)
		}
	}
	if _, err := find(t, map[string]string{"a.go": "package main\n"}); err == nil || !strings.Contains(err.Error(), "register") {
		t.Errorf("got %v for a file that registers nothing, want an error", err)
	}
}

// No change moves a line.
func TestEdits(t *testing.T) {
	k := own(t)
	once := k.Times(1)
	if want := strings.Replace(kernel, "i <= 99", "i <= 0", 1); once.Text != want {
		t.Errorf("got\n%s\nwant\n%s", once.Text, want)
	}
	changed, err := once.With(program.Edit{Line: 13, From: "select {}", To: "println()"})
	if want := strings.Replace(once.Text, "select {}", "println()", 1); err != nil || changed.Text != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, changed.Text, want)
	}
	for _, e := range []program.Edit{
		{Line: 0, From: "a", To: "b"}, {Line: 99, From: "a", To: "b"},
		{Line: 13, From: "return", To: "b"}, {Line: 13, From: "{", To: "b"}, {Line: 13, From: "select", To: "\n"},
	} {
		if _, err := k.With(e); err == nil {
			t.Errorf("%+v: got no error", e)
		}
	}
	text, err := k.WithoutProfile()
	if err != nil || strings.Contains(text, `"runtime/pprof"`) || strings.Count(text, "\n") != strings.Count(kernel, "\n") {
		t.Errorf("got %v\n%s\nwant another import, on the same line", err, text)
	}
	k.Text = strings.Replace(k.Text, `"runtime/pprof"`, `"fmt"`, 1)
	if _, err := k.WithoutProfile(); err == nil {
		t.Error("got no error for a kernel without the import")
	}
}
