package steps_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/cucumber/godog"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/steps"
)

// flagsEnv passes the flags of this test, one a line, to the process that runs it under
// control.
const flagsEnv = "JACQUARD_STEPS_FLAGS"

// options are Godog's flags, and schedules is a flag of the features. Package flag sets
// both before any test runs.
var (
	options   = godog.Options{Format: "progress"}
	schedules = flag.Int("schedules", 0, "how many schedules each scenario of the features is run in; 0 for as many as is usual")
	_         = bind(flag.CommandLine)
)

// bind adds Godog's flags but keeps the usage text of go test.
func bind(set *flag.FlagSet) error {
	usage := set.Usage
	godog.BindFlags("godog.", set, &options)
	set.Usage = usage
	return set.Set("godog.concurrency", "0") // by default as many as there are processors
}

// shuffle draws the seed of a random order, the default in CI, and logs it: not all formats
// of Godog do. The process under control gets it with the other flags.
func shuffle(t *testing.T) {
	t.Helper()
	if os.Getenv(flagsEnv) != "" || options.Randomize == 0 && os.Getenv("CI") == "" {
		return
	}
	if options.Randomize <= 0 {
		if err := flag.Set("godog.random", fmt.Sprint(1+rand.Int32N(1<<20))); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("random order; to repeat it: -godog.random=%d", options.Randomize)
}

// handOn sets the flags that another process passed on, or passes them on.
func handOn(t *testing.T) {
	t.Helper()
	if text := os.Getenv(flagsEnv); text != "" {
		for line := range strings.Lines(text) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if err := flag.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	var lines strings.Builder
	flag.Visit(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "godog.") || f.Name == "schedules" {
			fmt.Fprintf(&lines, "%s=%s\n", f.Name, f.Value)
		}
	})
	t.Setenv(flagsEnv, lines.String())
}

// TestFeatures runs the features. The package's documentation describes the flags.
func TestFeatures(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shuffle(t)
	handOn(t)
	suite, err := steps.Suite(steps.Config{
		Features: os.DirFS(".."), Run: steps.Processes(binary), Schedules: *schedules, Short: testing.Short(), Options: options,
	})
	if err != nil {
		t.Fatal(err) // before anything is built or run
	}
	if !explore.Control(t) {
		return
	}
	suite.Options.TestingT = t
	suite.Options.DefaultContext = t.Context()
	if status := suite.Run(); status != 0 {
		t.Errorf("got status %d from the features, want 0", status)
	}
}
