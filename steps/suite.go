package steps

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/steps/tdd"
)

// Config says which features are run, and how.
type Config struct {
	// Features holds the folder features with the feature files. Required.
	Features fs.FS
	// Explore explores the cells. Required.
	Explore ExploreFunc
	// Limit is how long one exploration may take, in real time. 0 means two
	// minutes.
	Limit time.Duration
	// Tags selects scenarios by a tag expression of Godog's, such as
	// "@tdd_issue_7120 && ~@tdd_expected_fail". Empty means all.
	Tags string
	// Format is a formatter of Godog's: progress, pretty, junit:report.xml and
	// so on. Empty means progress.
	Format string
	// Output is where the formatter writes. Nil means standard output.
	Output io.Writer
	// Concurrency is how many scenarios run at a time. 0 means one for each
	// processor, and one if the format is pretty: it prints rows of a table
	// under the outline that was printed last, so they must come in order.
	Concurrency int
}

// ErrConfig is wrapped by the errors about a [Config] that cannot be used.
var ErrConfig = errors.New("steps: bad configuration")

func (c Config) withDefaults() (Config, error) {
	if c.Features == nil || c.Explore == nil {
		return c, fmt.Errorf("%w: Features and Explore are required", ErrConfig)
	}
	if c.Limit < 0 || c.Concurrency < 0 {
		return c, fmt.Errorf("%w: got Limit %v and Concurrency %d, want none below 0", ErrConfig, c.Limit, c.Concurrency)
	}
	if c.Limit == 0 {
		c.Limit = 2 * time.Minute
	}
	if c.Format == "" {
		c.Format = "progress"
	}
	if c.Concurrency == 0 {
		c.Concurrency = runtime.NumCPU()
		if strings.Contains(c.Format, "pretty") {
			c.Concurrency = 1
		}
	}
	return c, nil
}

// Suite returns the suite of the features, ready to be run once; the caller may
// add Options.TestingT. It reads the features and checks the tags of all
// scenarios, selected or not, and runs nothing. The error wraps [ErrConfig] or
// tdd.ErrTags, or is that of a file.
func Suite(c Config) (*godog.TestSuite, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	options := godog.Options{
		FS: c.Features, Paths: []string{"features"}, Strict: true, Format: c.Format, NoColors: true, Output: c.Output, Concurrency: c.Concurrency,
	}
	scenarios, err := read(options)
	if err != nil {
		return nil, err
	}
	if err := tdd.Check(scenarios, matchIssue); err != nil {
		return nil, err
	}
	options.Tags = c.Tags
	if selected, err := read(options); err != nil {
		return nil, err
	} else if len(selected) == 0 {
		return nil, fmt.Errorf("%w: tags %q select none of %d scenarios", ErrConfig, c.Tags, len(scenarios))
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

// matchIssue checks a capture's report against the catalogue. A scenario that
// tells a documented race must carry the number of that race's report.
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

// raceOf returns the race that a scenario tells, or nothing.
func raceOf(sc *godog.Scenario) string {
	for _, s := range sentences() {
		if slices.ContainsFunc(sc.Steps, func(step *godog.Step) bool { return step.Text == s.when }) {
			return s.race
		}
	}
	return ""
}

// one says that one of several numbers is wanted.
func one(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, " or ")
}
