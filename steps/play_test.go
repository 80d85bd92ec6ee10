package steps_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/steps"
)

// A plain is a races.T that runs goroutines without control.
type plain struct {
	*testing.T
	running sync.WaitGroup

	mu       sync.Mutex
	failures []string // written and read under mu
}

var _ races.T = (*plain)(nil)

func (p *plain) Go(_ string, f func()) { p.running.Go(f) }
func (p *plain) Wait()                 { p.running.Wait() }
func (p *plain) Logf(string, ...any)   {}

func (p *plain) Errorf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = append(p.failures, fmt.Sprintf(format, args...))
}

func (p *plain) Fatalf(format string, args ...any) {
	p.Errorf(format, args...)
	runtime.Goexit()
}

// play runs a script once, without control.
func play(t *testing.T, s steps.Script) (failures []string, err error) {
	t.Helper()
	p := &plain{T: t}
	err = steps.Play(t.Context(), p, s)
	return p.failures, err
}

// script parses a script with one step a line.
func script(text string) steps.Script {
	s := steps.Script{Name: "trial"}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if row, ok := strings.CutPrefix(line, "| "); ok {
			last := &s.Lines[len(s.Lines)-1]
			cells := strings.Split(strings.TrimSuffix(row, " |"), " | ")
			last.Table = append(last.Table, cells)
			continue
		}
		kind, rest, _ := strings.Cut(line, " ")
		if kind == "And" {
			kind = s.Lines[len(s.Lines)-1].Kind
		}
		s.Lines = append(s.Lines, steps.Line{Kind: kind, Text: rest})
	}
	return s
}

// TestOursHoldsPlainly: every scenario of our implementation holds when it runs once,
// without control. Scenarios with processes are left out.
func TestOursHoldsPlainly(t *testing.T) {
	suite, err := steps.Suite(steps.Config{Features: os.DirFS(".."), Run: unwanted(t)})
	if err != nil {
		t.Fatal(err)
	}
	all, err := suite.RetrieveFeatures()
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, f := range all {
		for _, pickle := range f.Pickles {
			s := steps.ScriptOf(pickle)
			if steps.Kills(s) || strings.Contains(s.Lines[0].Text, ", as ") {
				continue
			}
			ran++
			if failures, err := play(t, s); err != nil || len(failures) > 0 {
				t.Errorf("%s: got %q, %v, want neither", s.Name, failures, err)
			}
		}
	}
	if ran < 30 {
		t.Errorf("got %d scenarios of our implementation, want at least 30", ran)
	}
}

// falsehoods are scenarios whose last step is false in every order of execution.
var falsehoods = []string{
	"Given a plan service in memory\nWhen two callers make a plan\nThen exactly one succeeds",
	"Given a plan service in memory\nWhen two callers make a plan\nThen nobody succeeds",
	"Given a plan service in memory\nWhen one caller applies the plan\nThen the other is told that the action already exists",
	"Given a plan service in memory\nWhen one caller applies the plan\nThen the other is told what state they lost to",
	"Given a plan service in memory\nWhen one caller applies the plan\nThen the others are told that the value has changed",
	"Given a plan service in memory\nWhen one caller applies the plan\nThen nobody gets an error",
	"Given a plan service in memory\nWhen two callers create the action \"local/a\"\nThen the calls end like this:\n| outcome | times |\n| success | two |",
	"Given two instances of the plan service on one SQLite file\nWhen one caller reads the action \"local/review\"\nAnd after that one caller reads the action \"local/review\"\nThen every read after that finds the action archived",
	"Given a plan service in memory\nWhen two callers make a plan\nThen the action was used three times",
	"Given a plan service in memory\nWhen two callers make a plan from the action \"local/none\"\nThen every plan that was returned is found afterwards",
	"Given a plan service in memory\nWhen two callers make a plan\nThen one more plan is there",
	"Given a plan at execute/queued\nWhen one caller reads it\nThen it is applied once",
	"Given a plan at execute/queued\nWhen one caller reads it\nAnd after that another reads it\nThen every read after that sees the plan at execute/complete",
	"Given a plan at execute/queued\nWhen one caller reads it\nThen nobody sees the plan but at execute/complete",
	"Given a plan at execute/complete\nWhen one caller executes it\nThen the work is done once",
	"Given a plan service in memory\nWhen one caller applies the plan\nThen the other is told who holds the resource",
	"Given a plan service in memory\nWhen one caller applies the plan\nThen the others are told who has the plan",
	"Given two instances of the plan service on one SQLite file, as reported\nWhen one worker hangs in the middle of the plan\nAnd after that another takes the plan over\nThen the plan is taken over",
	"Given two instances of the plan service on one SQLite file, as reported\nWhen one worker hangs in the middle of the plan\nAnd after that another takes the plan over\nAnd after that both complete the plan\nThen who hung is told who has the plan",
	"Given a plan at execute/complete\nWhen one caller executes it\nThen the work can be done again",
	"Given a plan service in memory\nWhen two callers create the action \"local/a\"\nThen the other is told that the action is gone, or that it has plans",
	"Given a plan service in memory\nAnd a plan at execute/complete\nWhen one caller applies the plan and then deletes the plan\nThen the plan is applied, or deleted, and never both",
	"Given a plan service in memory\nAnd a plan at execute/complete\nWhen one caller reads the plan\nThen the plan is applied, or deleted, and never both",
	"Given a plan service in memory\nAnd a plan at apply/applied\nWhen one caller reads the plan\nAnd after that another lists the plans\nThen the plan is in no listing after that",
	"Given a plan service in memory\nWhen one caller closes the plan service and then hears the events\nThen everybody hears every change of every plan once, in order",
	"Given a plan with subplans\nWhen one caller runs the subplans\nThen every failure is among the plan's error details",
	"Given a plan with subplans\nWhen one caller notes the failure of a subplan\nThen what never started is cancelled, and only what is complete is merged",
	"Given a plan service in memory\nAnd a plan at strategize/queued\nWhen one caller runs the parts of the plan\nAnd after that another runs the parts of the plan\nThen what the parts of a plan change is merged in their order",
	"Given a plan service in memory\nAnd a plan at apply/applied\nWhen one caller starts a changeset\nThen no change lands in an older changeset once a newer one is visible",
	"Given a plan service in memory\nAnd a plan at apply/applied\nWhen one caller records a change\nThen every change is in one changeset, or its recorder is told that none is active",
	"Given a plan service in memory\nAnd a plan at strategize/queued\nWhen one caller records a change\nThen every instance knows the changesets and the changes",
	"Given a plan service in memory\nAnd a plan at apply/applied\nWhen one caller claims the plan and then keeps it\nThen a claim is kept by who has it, and by nobody else",
	"Given a plan service in memory\nAnd a plan at execute/queued\nWhen one caller brings it home\nThen every change is brought home once",
	"Given a plan service in memory\nAnd a plan at apply/applied\nWhen one caller records a change\nThen a change stays in its place among all",
	"Given a plan service in memory\nWhen one caller lists the changesets\nThen nothing lands in a changeset that was seen closed",
	"Given a cache\nWhen one caller asks for the value and another asks for the other value\nThen everybody holds the same object",
	"Given a cache\nWhen one caller asks for the value\nThen two objects were made",
	"Given two units of work on one in-memory database without a schema, ours\nWhen both bring the schema up to date\nThen two engines were made",
	"Given a cache\nAnd creators that panic\nWhen one caller asks for the value\nThen who asked gets the creator's error",
	"Given a cache\nWhen one caller asks for the value\nThen who asked is told of the cycle",
	"Given a cache\nAnd creators that fail\nWhen one caller asks for the value\nThen who asked gets a value, or is told that the cache is closed",
	"Given a cache\nWhen one caller asks for the value\nThen the cache holds nothing",
	"Given a cache\nAnd creators that fail\nWhen one caller asks for the value\nThen the calls of those who stay succeed",
	"Given a cache\nAnd creators that fail\nWhen one caller asks for the value\nThen everybody who stays holds the same object",
}

// TestThensCanFail: each falsehood fails with the words of its step. If the step means
// nothing in its scenario, the error says which steps do.
func TestThensCanFail(t *testing.T) {
	for _, text := range falsehoods {
		s := script(text)
		last := s.Lines[len(s.Lines)-1].Text
		failures, err := play(t, s)
		senseless := err != nil && strings.Contains(err.Error(), "the scenario makes no sense: of ")
		if !senseless && (len(failures) != 1 || !strings.HasPrefix(failures[0], last+": ")) {
			t.Errorf("%s\ngot %q, %v, want %q and why", text, failures, err, last)
		}
	}
}

// TestActs: the clauses of a When step are parsed as written.
func TestActs(t *testing.T) {
	for text, want := range map[string]string{
		`two callers create the action "local/a" and a third lists the actions`: "[{caller 1 0} {caller 2 1}] [create the action local/a] after false serial false killed false\n[{caller 3 2}] [list the actions] after false serial false killed false\n",
		`both instances apply the plan "warp", and one of them is killed`:       "[{instance 1 0} {instance 2 1}] [apply the plan warp] after false serial false killed true\n",
		`after that the second instance reads it and then lists the plans`:      "[{instance 2 1}] [read the plan list the plans] after true serial false killed false\n",
		`3 workers execute the plan, one after the other`:                       "[{worker 1 0} {worker 2 1} {worker 3 2}] [execute the plan] after false serial true killed false\n",
		`one caller reads the plan's changeset while another records a change`:  "[{caller 1 0}] [read the plan's changeset] after false serial false killed false\n[{caller 2 1}] [record a change] after false serial false killed false\n",
		`nobody sings`: `who is "nobody sings"`,
	} {
		if got := steps.Acts(text); got != want {
			t.Errorf("%s\ngot\n%swant\n%s", text, got, want)
		}
	}
}

// TestKilled: the instances that survive a kill are judged, and a violation is reported.
func TestKilled(t *testing.T) {
	s := script("Given a plan at execute/complete\nWhen three instances apply it and one of them is killed\nThen it is applied once")
	s.Schedules = 25 // one round
	if o, err := steps.PlayWithProcesses(t.Context(), s); err != nil || !o.Holds() {
		t.Errorf("got %+v, %v, want it to hold", o, err)
	}
	s = script("Given a plan at execute/complete\nWhen two instances make a plan and one of them is killed\nThen five more plans are there")
	s.Schedules = 25
	if o, err := steps.PlayWithProcesses(t.Context(), s); err != nil || !o.Violated() || !strings.HasPrefix(o.Message, "five more plans are there: ") {
		t.Errorf("got %+v, %v, want it violated", o, err)
	}
}

// TestSteps: no two steps have the same example.
func TestSteps(t *testing.T) {
	all := slices.Concat(steps.Says("Given"), steps.Says("When"), steps.Says("Then"))
	for i, says := range all {
		if slices.Contains(all[:i], says) {
			t.Errorf("got the example %q twice", says)
		}
	}
	if len(all) < 60 {
		t.Errorf("got %d steps, want at least 60", len(all))
	}
}
