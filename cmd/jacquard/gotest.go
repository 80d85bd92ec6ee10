package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/jacquard-go/jacquard/internal/command"
)

// elsewhere lists the flags of go test that jacquard test does not have, with the reason or an
// alternative.
var elsewhere = []struct {
	flags string
	why   string
}{
	{"bench benchtime benchmem", "benchmarks measure real time, and time is virtual under control: go test -bench runs them"},
	{"fuzz fuzztime fuzzminimizetime", "fuzz targets are explored on their seeds and their corpus: go test -fuzz looks for more inputs"},
	{"cover covermode coverpkg coverprofile", "what many schedules cover says nothing about the tests: go test -cover does"},
	{"cpuprofile memprofile blockprofile mutexprofile trace outputdir blockprofilerate memprofilerate mutexprofilefraction",
		"a profile would be one of the explorer: go test makes profiles of the tests"},
	{"cpu", "tests are told of 4 processors on every machine, so that a card means the same everywhere, and the schedule says what runs"},
	{"p", "-j says how many processes run at the same time"},
	{"c o", "the test binary is of use to this command only: go test -c makes one for others"},
	{"n x work a", "go test shows what is built, except for the overlay; binaries are kept in the cache folder that jacquard doctor names"},
	{"exec", "tests run in processes of this command: jacquard replay -exec runs a failing one by another program"},
	{"artifacts", "each schedule would leave its own: go test -artifacts keeps those of one run"},
	{"trimpath buildvcs pgo modcacherw", "what changes only the build can be in the environment: GOFLAGS"},
	{"overlay toolexec", "control needs an overlay and tools of its own"},
	{"msan asan linkshared buildmode compiler gccgoflags pkgdir installsuffix", "control needs an ordinary build with the race detector, or without: -race=false"},
}

// elsewhereFlag returns the error for a flag of go test that jacquard test does not have; nil for
// other flags.
func elsewhereFlag(name string) error {
	for _, e := range elsewhere {
		if slices.Contains(strings.Fields(e.flags), strings.TrimPrefix(name, "test.")) {
			return fmt.Errorf("-%s is no flag of jacquard test: %s", name, e.why)
		}
	}
	if rest, ok := strings.CutPrefix(name, "test."); ok {
		return fmt.Errorf("got -%s, want -%s, or what is for the test binary behind -args", name, rest)
	}
	return nil
}

// testFlagError explains the absence of a flag of go test, and otherwise does the same as
// command.FlagError.
func testFlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if why := elsewhereFlag(unknown.GetSpecifiedName()); why != nil {
			return fmt.Errorf("%s: %w", cmd.Name(), why)
		}
	}
	return command.FlagError(cmd, err)
}

// A once is a flag that has only one valid value here, but more in go test.
type once struct {
	want string // the only valid value
	why  string // why no other value is valid
	set  bool
}

func (o *once) String() string { return "" }
func (o *once) Type() string   { return o.want }
func (o *once) Wants() string  { return o.want + ": " + o.why }
func (o *once) Set(text string) error {
	if n, err := strconv.Atoi(text); text != o.want && (err != nil || strconv.Itoa(n) != o.want) {
		return errors.New(o.why)
	}
	o.set = true
	return nil
}
