package steps

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// A definition is one step that a feature can use.
type definition struct {
	kind  string // Given, When or Then
	expr  string // the expression for the whole text
	says  string // an example
	table bool   // it has a data table
	read  func(p *plot, line Line, args []string) error
	match *regexp.Regexp // expr
}

// The expressions that several steps share.
const (
	versionExpr = `(?:, (as reported|as suggested|ours))?`
	numberExpr  = `(one|two|three|four|five|six|seven|eight|nine|ten|twenty|[1-9][0-9]?)`
)

// definitions returns the definitions of all steps.
var definitions = sync.OnceValue(func() []definition {
	all := slices.Concat(givens(), whens(), thens())
	for i := range all {
		all[i].match = regexp.MustCompile(all[i].expr)
	}
	return all
})

// match returns the definition of a step and the arguments that its expression captures.
func match(line Line) (*definition, []string) {
	for _, d := range definitions() {
		if d.kind != line.Kind || d.table != (line.Table != nil) {
			continue
		}
		if args := d.match.FindStringSubmatch(line.Text); args != nil {
			return &d, args[1:]
		}
	}
	return nil, nil
}

func givens() []definition {
	given := func(expr, says string, read func(*plot, []string) error) definition {
		return definition{kind: "Given", expr: "^" + expr + "$", says: says, read: func(p *plot, _ Line, args []string) error { return read(p, args) }}
	}
	fill := func(expr, says string, read func(*plot, string)) definition {
		return given(expr, says, func(p *plot, args []string) error {
			read(p, strings.Join(args, ""))
			return nil
		})
	}
	return []definition{
		given(`an engine cache`+versionExpr, `an engine cache, as reported`, func(p *plot, args []string) error { return p.settle(engineCache, "ten", args[0]) }),
		given(numberExpr+` units of work on one in-memory database without a schema`+versionExpr, `two units of work on one in-memory database without a schema, ours`,
			func(p *plot, args []string) error { return p.settle(noSchema, args[0], args[1]) }),
		given(`a plan service in memory`+versionExpr, `a plan service in memory, as suggested`, func(p *plot, args []string) error { return p.settle(inMemory, "one", args[0]) }),
		given(numberExpr+` plan services on one in-memory database`, `two plan services on one in-memory database`,
			func(p *plot, args []string) error { return p.settle(inDatabase, args[0], "") }),
		given(`a plan with subplans`+versionExpr, `a plan with subplans, as reported`, func(p *plot, args []string) error { return p.settle(withParts, "one", args[0]) }),
		given(numberExpr+` instances of the plan service on one SQLite file`+versionExpr, `three instances of the plan service on one SQLite file, ours`,
			func(p *plot, args []string) error { return p.settle(onFile, args[0], args[1]) }),
		given(numberExpr+` lock services on one SQLite file`+versionExpr, `two lock services on one SQLite file, ours`,
			func(p *plot, args []string) error { return p.settle(lockService, args[0], args[1]) }),
		fill(`a lock that has expired`, `a lock that has expired`, func(p *plot, _ string) { p.expired = true }),
		fill(`a resource that was never locked`, `a resource that was never locked`, func(p *plot, _ string) { p.expired = false }),
		given(numberExpr+` job queues on one SQLite file`+versionExpr, `two job queues on one SQLite file, ours`,
			func(p *plot, args []string) error { return p.settle(jobQueue, args[0], args[1]) }),
		fill(`a job`, `a job`, func(*plot, string) {}),
		given(`a cache`, `a cache`, func(p *plot, _ []string) error { return p.settle(aCache, "one", "ours") }),
		fill(`a cache that has a value`, `a cache that has a value`, func(p *plot, _ string) {
			p.place, p.column, p.instances, p.value = aCache, races.Ours, 1, true
		}),
		fill(`creators that (fail|panic|exit|wait for the others|ask for each other's key)`, `creators that fail|panic|exit|wait for the others|ask for each other's key`,
			func(p *plot, how string) { p.creator = how }),
		fill(`an action "([^"]+)"`, `an action "local/review"`, func(p *plot, name string) { p.actions = append(p.actions, name) }),
		given(`a plan at ([a-z]+)/([a-z]+)`, `a plan at execute/complete`, func(p *plot, args []string) error { return p.plan("", args[0]+"/"+args[1]) }),
		{kind: "Given", expr: "^these plans:$", says: "these plans: (a table of name and at)", table: true, read: (*plot).thesePlans},
		fill(`an open changeset`, `an open changeset`, func(p *plot, _ string) { p.changeset = true }),
		fill(`a database that refuses to commit`, `a database that refuses to commit`, func(p *plot, _ string) { p.refuses = true }),
		fill(`every instance has read the plan`, `every instance has read the plan`, func(p *plot, _ string) { p.held = true }),
	}
}

// settle sets the place, the version and the number of instances of the scenario.
func (p *plot) settle(at place, instances, version string) error {
	if p.place != "" {
		return fmt.Errorf("got %s, and before that %s", at, p.place)
	}
	if version == "" {
		version = "ours"
	}
	p.place, p.column, p.instances = at, columns()[version], number(instances)
	return nil
}

// plan adds a plan.
func (p *plot) plan(name, position string) error {
	phase, state, _ := strings.Cut(position, "/")
	at := lifecycle.Position{Phase: lifecycle.Phase(phase), State: lifecycle.State(state)}
	if _, err := wayTo(at); err != nil {
		return err
	}
	p.plans = append(p.plans, planAt{name, at})
	return nil
}

func (p *plot) thesePlans(line Line, _ []string) error {
	rows, err := rowsOf(line.Table, "name", "at")
	for _, row := range rows {
		if err == nil {
			err = p.plan(row[0], row[1])
		}
	}
	return err
}

// rowsOf returns the rows of a table without its head, which must be the given one.
func rowsOf(table [][]string, head ...string) ([][]string, error) {
	if got, want := strings.Join(table[0], " | "), strings.Join(head, " | "); got != want || len(table) < 2 {
		return nil, fmt.Errorf("got a table of %d rows with the head %q, want %q and at least one row", len(table), got, want)
	}
	return table[1:], nil
}

// way returns the positions of a plan's life, in order, with the command that leads to each.
func way() []planStep {
	at := func(phase lifecycle.Phase, state lifecycle.State) lifecycle.Position {
		return lifecycle.Position{Phase: phase, State: state}
	}
	return []planStep{
		{at(lifecycle.PhaseStrategize, lifecycle.StateQueued), ""},
		{at(lifecycle.PhaseStrategize, lifecycle.StateProcessing), lifecycle.CommandStartStrategize},
		{at(lifecycle.PhaseStrategize, lifecycle.StateComplete), lifecycle.CommandCompleteStrategize},
		{at(lifecycle.PhaseExecute, lifecycle.StateQueued), lifecycle.CommandExecutePlan},
		{at(lifecycle.PhaseExecute, lifecycle.StateProcessing), lifecycle.CommandStartExecute},
		{at(lifecycle.PhaseExecute, lifecycle.StateComplete), lifecycle.CommandCompleteExecute},
		{at(lifecycle.PhaseApply, lifecycle.StateQueued), lifecycle.CommandApplyPlan},
		{at(lifecycle.PhaseApply, lifecycle.StateProcessing), lifecycle.CommandStartApply},
		{at(lifecycle.PhaseApply, lifecycle.StateApplied), lifecycle.CommandCompleteApply},
	}
}

type planStep struct {
	at lifecycle.Position
	by lifecycle.Command // empty for the position in which a plan begins
}

// wayTo returns the commands that lead a new plan to a position.
func wayTo(to lifecycle.Position) ([]lifecycle.Command, error) {
	var commands []lifecycle.Command
	var there []string
	for _, s := range way() {
		if s.by != "" {
			commands = append(commands, s.by)
		}
		if s.at == to {
			return commands, nil
		}
		there = append(there, s.at.String())
	}
	return nil, fmt.Errorf("got a plan at %s, want it at one of %s", to, strings.Join(there, ", "))
}

// number returns the value of a number that numberExpr has matched.
func number(word string) int {
	for n, name := range []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if word == name {
			return n
		}
	}
	if word == "twenty" {
		return 20
	}
	n := 0
	_, _ = fmt.Sscan(word, &n) // numberExpr has matched, so word is a number
	return n
}
