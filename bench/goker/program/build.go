package program

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// module is the path of this module; programs are built in its checkout.
const module = "github.com/jacquard-go/jacquard/bench"

//go:embed main.go.txt
var mainText string

// A Program is a binary with the kernels, built under control.
type Program struct {
	Dir    string // with the source, from which reports have their names
	Binary string
}

// Close removes the program.
func (p *Program) Close() {
	_ = os.Remove(p.Binary)
	_ = os.RemoveAll(p.Dir)
}

// Build puts the kernels into a temporary module and builds it, with the race
// detector if race is set. The go command in dir must be in a checkout of this
// module.
func Build(ctx context.Context, dir string, kernels []Kernel, race bool) (*Program, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("outside of a checkout of %s: %w", module, err)
	}
	home, err := os.MkdirTemp("", "jacquard-goker-")
	if err != nil {
		return nil, err
	}
	p := &Program{Dir: home}
	if err := p.write(strings.TrimSpace(string(out)), kernels); err != nil {
		p.Close()
		return nil, err
	}
	if p.Binary, err = toolchain.Build(ctx, toolchain.Request{Dir: home, NoRace: !race, Cache: filepath.Join(home, "cache")}); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// write makes the module: the kernels, unchanged except for one import, a main
// function, and this module's requirements.
func (p *Program) write(checkout string, kernels []Kernel) error {
	mod, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		return err
	}
	const own, around = "module " + module + "\n", "=> ..\n"
	for _, want := range []string{own, around} {
		if !strings.Contains(string(mod), want) {
			return fmt.Errorf("%s: got no %q, want it", filepath.Join(checkout, "go.mod"), want)
		}
	}
	text := strings.NewReplacer(own, "module example.com/goker\n", around, "=> "+filepath.Dir(checkout)+"\n").Replace(string(mod))
	files := map[string]string{
		"go.mod":  text + fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, checkout),
		"go.sum":  string(sum),
		"main.go": mainText,
	}
	for _, k := range kernels {
		text, err := k.withoutProfile()
		if err != nil {
			return err
		}
		files[k.File] = text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(p.Dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// withoutProfile returns the kernel's text with a package of ours for runtime/pprof.
// No other line changes.
func (k Kernel) withoutProfile() (string, error) {
	const theirs, ours = `"runtime/pprof"`, `"` + module + `/goker/program/pprof"`
	if n := strings.Count(k.Text, theirs); n != 1 {
		return "", fmt.Errorf("%s: got %s %d times, want once", k.File, theirs, n)
	}
	return strings.Replace(k.Text, theirs, ours, 1), nil
}
