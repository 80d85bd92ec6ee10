package steps

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// errScenario is wrapped by the errors about steps that do not fit together.
var errScenario = errors.New("the scenario makes no sense")

// A Line is a step of a scenario: its text, and its table if it has one.
type Line struct {
	Kind  string     `json:"kind"` // Given, When or Then, also if the feature says And
	Text  string     `json:"text"`
	Table [][]string `json:"table,omitempty"`
}

// A Script is the steps of one scenario, in the form that is sent to the process that runs it.
type Script struct {
	Name      string `json:"name"`
	Lines     []Line `json:"lines"`
	Schedules int    `json:"schedules,omitempty"` // how many are run; 0 for the default
	Short     bool   `json:"short,omitempty"`     // the default is smaller
	Expected  bool   `json:"expected,omitempty"`  // it is expected to fail, so its violation need not be minimised
}

// A place is the subject of a scenario.
type place string

const (
	engineCache place = "an engine cache"
	noSchema    place = "an in-memory database without a schema"
	inMemory    place = "a plan service in memory"
	inDatabase  place = "plan services on one in-memory database"
	onFile      place = "a plan service on a SQLite file"
	withParts   place = "a plan with subplans"
	lockService place = "a lock service on a SQLite file"
	jobQueue    place = "a job queue on a SQLite file"
	aCache      place = "a cache"
)

// A plot is a compiled scenario: the subject, the callers, their calls, and what must hold. Each
// step adds its part.
type plot struct {
	place     place
	column    races.Column
	instances int
	actions   []string
	plans     []planAt
	changeset bool   // one is open at the start
	refuses   bool   // the database does not commit
	expired   bool   // the resource is locked, and the lock has expired
	held      bool   // every instance has read the plan
	value     bool   // the cache has one at the start
	creator   string // how the cache's creators misbehave; empty if they do not
	acts      []act
	musts     []must

	given *given // what was prepared on the file; nil before
}

// A planAt is a plan that exists from the start.
type planAt struct {
	name string // empty for the only plan of a scenario
	at   lifecycle.Position
}

// An act is what one kind of caller does. All its callers act at once, together with the acts
// before it unless it comes after those.
type act struct {
	callers []caller
	calls   []call
	after   bool // it begins when the acts before it have ended
	serial  bool // its callers run one after the other
	killed  bool // one of its callers is killed
}

// A caller is one goroutine, or one process.
type caller struct {
	name     string
	instance int
}

// A call is what a caller does: a verb of a world, and its argument.
type call struct{ verb, arg string }

func (c call) String() string {
	if c.arg == "" {
		return c.verb
	}
	return c.verb + " " + c.arg
}

// A must is a condition that has to hold afterwards, in the words of its step.
type must struct {
	text  string
	check func(*scene) error
}

// compile compiles a script. The error wraps errScenario and lists the steps that exist.
func compile(s Script) (*plot, error) {
	p := &plot{}
	for _, line := range s.Lines {
		d, args := match(line)
		if d == nil {
			return nil, fmt.Errorf("%w: there is no step %q; %s", errScenario, line.Kind+" "+line.Text, stepsThere(line.Kind))
		}
		if err := d.read(p, line, args); err != nil {
			return nil, fmt.Errorf("%w: %s %s: %w", errScenario, line.Kind, line.Text, err)
		}
	}
	return p, p.complete()
}

// complete fills in what the steps leave open, and refuses plots that cannot be judged.
func (p *plot) complete() error {
	if p.place == "" && (len(p.plans) > 0 || len(p.actions) > 0) {
		p.place, p.column, p.instances = onFile, races.Ours, max(2, p.widest())
	}
	switch {
	case p.place == "":
		return fmt.Errorf("%w: nobody is there; %s", errScenario, stepsThere("Given"))
	case len(p.acts) == 0:
		return fmt.Errorf("%w: nothing happens; %s", errScenario, stepsThere("When"))
	case len(p.musts) == 0:
		return fmt.Errorf("%w: nothing must hold; %s", errScenario, stepsThere("Then"))
	case p.kills() && (p.place != onFile || p.column != races.Ours):
		return fmt.Errorf("%w: who is killed has a process of its own, and those share %s, ours; got %s", errScenario, onFile, p)
	}
	return nil
}

// widest returns the number of callers of the act that has the most.
func (p *plot) widest() (n int) {
	for _, a := range p.acts {
		n = max(n, len(a.callers))
	}
	return n
}

func (p *plot) kills() bool {
	return slices.ContainsFunc(p.acts, func(a act) bool { return a.killed })
}

// does reports whether a caller makes a call of that kind.
func (p *plot) does(verb string) bool {
	return slices.ContainsFunc(p.acts, func(a act) bool {
		return slices.ContainsFunc(a.calls, func(c call) bool { return c.verb == verb })
	})
}

func (p *plot) String() string { return string(p.place) + ", " + versionOf(p.column) }

// versionOf returns a feature's name for a column.
func versionOf(column races.Column) string {
	for version, c := range columns() {
		if c == column {
			return version
		}
	}
	return string(column)
}

// columns returns the columns by their names in features.
func columns() map[string]races.Column {
	return map[string]races.Column{"as reported": races.Reported, "as suggested": races.Suggested, "ours": races.Ours}
}

// stepsThere lists the steps of a kind that exist.
func stepsThere(kind string) string {
	var there []string
	for _, d := range definitions() {
		if d.kind == kind {
			there = append(there, "  "+kind+" "+d.says)
		}
	}
	return "there are\n" + strings.Join(there, "\n")
}
