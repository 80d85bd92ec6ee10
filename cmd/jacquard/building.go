package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite"
)

// program is the import path of this command.
const program = "github.com/jacquard-go/jacquard/cmd/jacquard"

// A building holds the flags for building and running test binaries. A card is valid for one set of
// them.
type building struct {
	race     bool
	tags     string
	dir      string
	passed   []passed
	short    bool
	parallel int
}

// A passed flag is passed on to the go command.
type passed struct{ name, value string }

// passedOn lists these flags, with their descriptions.
var passedOn = []passed{
	{"mod", "`how` the go command finds modules: readonly, vendor or mod"},
	{"modfile", "use this `file` instead of go.mod"},
	{"ldflags", "`flags` for the linker"},
	{"gcflags", "`flags` for the compiler"},
	{"asmflags", "`flags` for the assembler"},
}

func (b *building) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&b.race, "race", true, "build tests with the race detector")
	f.StringVar(&b.tags, "tags", "", "build tests with these `tags`, separated by commas")
	f.StringVarP(&b.dir, "C", "C", "", "run in this `folder`")
	b.passed = make([]passed, len(passedOn))
	for i, p := range passedOn {
		b.passed[i].name = p.name
		f.StringVar(&b.passed[i].value, p.name, "", p.value)
	}
	f.BoolVar(&b.short, "short", false, "tell the tests to be short")
	f.IntVar(&b.parallel, "parallel", 0, "run `n` parallel tests at a time (default 4)")
}

// check refuses invalid values.
func (b *building) check(cmd *cobra.Command) error {
	if b.parallel < 1 && cmd.Flags().Changed("parallel") {
		return fmt.Errorf("-parallel: got %d, want at least 1", b.parallel)
	}
	if err := cmp.Or(command.Filled(cmd), checkDir(b.dir)); err != nil {
		return err
	}
	if !b.race && cmd.Flags().Changed("gcflags") {
		return errors.New("-gcflags: got it with -race=false, where control needs flags of its own for every package: want it with the race detector")
	}
	return nil
}

// set sets the flags in a configuration.
func (b building) set(cfg *suite.Config) {
	cfg.NoRace = !b.race
	cfg.Command = calledAs(os.Args[0])
	cfg.Dir, cfg.Short, cfg.Parallel = b.dir, b.short, b.parallel
	if b.tags != "" {
		cfg.Tags = strings.Split(b.tags, ",")
	}
	for _, p := range b.passed {
		if p.value != "" {
			cfg.BuildFlags = append(cfg.BuildFlags, "-"+p.name+"="+p.value)
		}
	}
}

// calledAs returns how to call this command again, given its os.Args[0]: go run and go tool run a
// binary in a temporary folder.
func calledAs(arg0 string) string {
	switch dir := filepath.ToSlash(filepath.Dir(arg0)); {
	case !strings.Contains(dir, "/go-build"):
		return arg0
	case path.Base(dir) == "exe":
		return "go run " + program
	}
	return "go tool " + filepath.Base(arg0)
}
