package steps

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/steps/tdd"
)

// Config says which features are run, and how.
type Config struct {
	// Features holds the folder features with the feature files. Required.
	Features fs.FS
	// Run runs the scripts of the scenarios. Required.
	Run RunFunc
	// Schedules is the number of schedules each scenario is run in. 0 means the default, which is
	// smaller for scenarios on a database.
	Schedules int
	// Short makes the default smaller.
	Short bool
	// Options are Godog's own, as its flags set them: tags, format, random order and so on. Strict
	// is always on. An empty Format means progress. A Concurrency of 0 means one scenario for each
	// processor, or one if the format is pretty: it prints rows of a table under the outline that
	// was printed last, so scenarios must run in order.
	Options godog.Options
}

// ErrConfig is wrapped by the errors about a [Config] that cannot be used.
var ErrConfig = errors.New("steps: bad configuration")

func (c Config) withDefaults() (Config, error) {
	if c.Features == nil || c.Run == nil {
		return c, fmt.Errorf("%w: Features and Run are required", ErrConfig)
	}
	if c.Schedules < 0 || c.Options.Concurrency < 0 {
		return c, fmt.Errorf("%w: got Schedules %d and Concurrency %d, want none below 0", ErrConfig, c.Schedules, c.Options.Concurrency)
	}
	if c.Options.Format == "" {
		c.Options.Format = "progress"
	}
	if c.Options.Concurrency == 0 {
		c.Options.Concurrency = runtime.NumCPU()
		if strings.Contains(c.Options.Format, "pretty") {
			c.Options.Concurrency = 1
		}
	}
	return c, nil
}

// Suite returns the suite of the features, ready to be run once; the caller may add
// Options.TestingT. It reads the features and checks the tags of all scenarios, selected or not,
// and runs nothing. The error wraps [ErrConfig] or tdd.ErrTags, or is about reading the features.
func Suite(c Config) (*godog.TestSuite, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	options, tags := c.Options, c.Options.Tags
	options.FS, options.Strict, options.NoColors, options.Tags = c.Features, true, true, ""
	options.Format = tdd.Format(options.Format)
	if len(options.Paths) == 0 {
		options.Paths = []string{"features"}
	}
	scenarios, err := read(options)
	if err != nil {
		return nil, err
	}
	if err := tdd.Check(scenarios, matchIssue); err != nil {
		return nil, err
	}
	options.Tags = tags
	if selected, err := read(options); err != nil {
		return nil, err
	} else if len(selected) == 0 {
		return nil, fmt.Errorf("%w: tags %q select none of %d scenarios", ErrConfig, tags, len(scenarios))
	}
	return &godog.TestSuite{Name: "features", ScenarioInitializer: c.bind, Options: &options}, nil
}

func read(options godog.Options) ([]*godog.Scenario, error) {
	features, err := godog.TestSuite{Options: &options}.RetrieveFeatures()
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	var all []*godog.Scenario
	for _, f := range features {
		all = append(all, f.Pickles...)
	}
	return all, nil
}

// matchIssue checks the report number of a capture against the catalogue. A scenario of a
// documented race must carry the number of that race's report.
func matchIssue(sc *godog.Scenario, issue int) error {
	told := raceOf(sc)
	var known []int
	for _, race := range races.All() {
		if (told == "" || told == race.ID) && !slices.Contains(known, race.Issue) {
			known = append(known, race.Issue)
		}
	}
	if slices.Contains(known, issue) {
		return nil
	}
	return fmt.Errorf("%w: got report %d, want %s", tdd.ErrTags, issue, one(known))
}

// raceOf returns the identifier of the catalogue's race that a scenario's tags name, such as @R4,
// or "".
func raceOf(sc *godog.Scenario) string {
	for _, race := range races.All() {
		if slices.ContainsFunc(sc.Tags, func(tag *messages.PickleTag) bool { return tag.Name == "@"+race.ID }) {
			return race.ID
		}
	}
	return ""
}

// one lists the numbers of which one is wanted.
func one(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, " or ")
}
