package mutations

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// An instrument looks for faults in the tree.
type instrument struct {
	name  string
	where func(broken) string // empty if the instrument does not cover the mutation
	build func(b *rig, ctx context.Context) (binary string, err error)
	// ask returns in a few words what the instrument found, or "".
	ask func(ctx context.Context, b *rig, binary string, m broken, mutant string) (string, error)
}

// instruments are the columns of the table.
var instruments = []instrument{
	{"features", func(m broken) string { return m.tags }, (*rig).buildFeatures, askFeatures},
	{"stress", func(m broken) string { return m.campaigns }, (*rig).buildRaces, askStress},
	{"fuzz", func(m broken) string { return m.targets }, (*rig).buildFuzz, askFuzz},
	{"soak", func(m broken) string { return map[bool]string{true: "SQLite"}[m.soaked] }, (*rig).buildRaces, askSoak},
	{"explored", func(m broken) string { return m.explored }, func(*rig, context.Context) (string, error) { return "", nil }, askExplored},
}

// controlled builds the tests of a package under control, once.
func (b *rig) controlled(ctx context.Context, pkg string) (string, error) {
	return b.built("controlled "+pkg, func() (string, error) {
		return toolchain.Build(ctx, toolchain.Request{Dir: b.dir, Package: "./" + pkg, Test: true, NoRace: b.norace})
	})
}

func (b *rig) buildFeatures(ctx context.Context) (string, error) { return b.controlled(ctx, "steps") }

func (b *rig) buildRaces(ctx context.Context) (string, error) {
	return b.program(ctx, "./cmd/races", "-race")
}

// buildFuzz builds cmd/fuzz, and the targets, which cmd/fuzz would otherwise build.
func (b *rig) buildFuzz(ctx context.Context) (string, error) {
	if _, err := b.built("targets", func() (string, error) {
		return toolchain.Build(ctx, toolchain.Request{Dir: b.dir, Package: "./fuzz", Test: true, Fuzz: true})
	}); err != nil {
		return "", err
	}
	return b.program(ctx, "./cmd/fuzz")
}

// test runs tests under control, and returns the message of the first that failed.
func (b *rig) test(ctx context.Context, binary, pkg, mutant string, says *regexp.Regexp, args ...string) (string, error) {
	dir, err := os.MkdirTemp(b.dir, "races-")
	if err != nil {
		return "", err
	}
	args = append(args, fmt.Sprint("-test.short=", b.short))
	text, ok, err := b.run(ctx, pkg, mutant, executable.Env(nil, dir), binary, args...)
	if ok || err != nil {
		return "", err
	}
	if why := says.FindStringSubmatch(text); why != nil {
		return why[1], nil
	}
	return "", fmt.Errorf("the tests of %s fail, and do not say of what:\n%s", pkg, text)
}

var scenario = regexp.MustCompile(`(?m)--- FAIL: TestFeatures/(\S+)`)

func askFeatures(ctx context.Context, b *rig, binary string, m broken, mutant string) (string, error) {
	return b.test(ctx, binary, "steps", mutant, scenario, "-test.run=^TestFeatures$", "-test.v", "-godog.tags="+m.tags+" && ~@tdd_expected_fail", fmt.Sprint("-schedules=", b.schedules))
}

var explored = regexp.MustCompile(`(?m)^\s+--- FAIL: Test(\w+/\S+/\S+|\w+/\S+)`)

func askExplored(ctx context.Context, b *rig, _ string, m broken, mutant string) (string, error) {
	pkg := "lifecycle/explored"
	if m.explored == onCache {
		pkg = "cache/explored"
	}
	binary, err := b.controlled(ctx, pkg)
	if err != nil {
		return "", err
	}
	return b.test(ctx, binary, pkg, mutant, explored, "-test.failfast", "-test.run="+m.explored)
}

// askStress gives each row an equal share of the time, and ends with the first that is not clean.
func askStress(ctx context.Context, b *rig, binary string, m broken, mutant string) (string, error) {
	rows := ours(strings.Fields(m.campaigns))
	for _, row := range rows {
		report, err := stress.Run(ctx, stress.Config{
			Time: b.stress / time.Duration(len(rows)), Rows: []stress.Row{row}, Command: []string{binary, "stress", "campaign"}, Env: []string{mutant},
		})
		if err != nil {
			return "", err
		}
		for _, r := range report.Races[0].Ours {
			if !r.Clean() {
				return r.Subject + " " + wrongIn(r), nil
			}
		}
	}
	return "", nil
}

// ours returns the rows without their specimens, which have their own code.
func ours(ids []string) []stress.Row {
	var all []stress.Row
	for _, row := range stress.Rows() {
		if slices.Contains(ids, row.Race.ID) {
			row.Race.Cells = slices.DeleteFunc(row.Race.Cells, func(c races.Cell) bool { return c.Column != races.Ours })
			all = append(all, row)
		}
	}
	return all
}

// wrongIn returns the fault that a campaign found, or "".
func wrongIn(r stress.Result) string {
	for _, o := range r.Outcomes {
		if o.Grade == stress.Forbidden {
			return fmt.Sprintf("%s: %s, %d of %d", o.Test, o.What, o.Count, r.Rounds)
		}
	}
	for _, s := range r.Sums {
		if s.Got != s.Want {
			return fmt.Sprintf("%s: %s %d for %d", r.Campaign, s.What, s.Got, s.Want)
		}
	}
	if f, ok := r.Met(); ok {
		return r.Campaign + ": " + f.Message
	}
	return r.Campaign + ": " + r.Trouble
}

// fuzzed matches a row of the table at the end of fuzzing.
var fuzzed = regexp.MustCompile(`(?m)^(Fuzz\w+) .*  FOUND  (.*)$`)

func askFuzz(ctx context.Context, b *rig, binary string, m broken, mutant string) (string, error) {
	text, ok, err := b.run(ctx, ".", mutant, nil, binary, "-time="+b.fuzz, "-minimise=1x", "-run="+m.targets)
	if ok || err != nil {
		return "", err
	}
	if why := fuzzed.FindStringSubmatch(text); why != nil {
		return strings.TrimPrefix(why[1], "Fuzz") + ": " + why[2], nil
	}
	return "", fmt.Errorf("fuzzing fails, and does not say of what:\n%s", text)
}

func askSoak(ctx context.Context, b *rig, binary string, _ broken, mutant string) (string, error) {
	keep, err := os.MkdirTemp(b.dir, "soak-")
	if err != nil {
		return "", err
	}
	report, err := soak.Run(ctx, soak.Config{
		Time: b.soak, Keep: keep + "/histories", Command: []string{binary, "soak", "process"}, Env: []string{mutant},
	})
	if err != nil {
		return "", err
	}
	if report.Operations == 0 {
		return "", errors.New("soak has done nothing")
	}
	return wrongAfter(report), os.RemoveAll(keep)
}

// wrongAfter returns the fault that a soak found, or "".
func wrongAfter(r *soak.Report) string {
	if r.Clean {
		return ""
	}
	for _, c := range r.Checks {
		if c.Wrong > 0 {
			return fmt.Sprintf("%s: %d of %d", c.Name, c.Wrong, c.Count)
		}
	}
	if len(r.Linearity.Problems) > 0 {
		return "histories without an order: " + fmt.Sprint(len(r.Linearity.Problems))
	}
	if len(r.Processing) > 0 {
		return r.Processing[0].What
	}
	return "it is not clean"
}
