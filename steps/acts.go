package steps

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// The grammar of When. A step has one or more clauses. Each clause says which callers act, and
// which calls each of them makes.
const (
	whoExpr = `(?:(a second|a third|another|an?|the (?:first|second|third|other)|both|every|` +
		`one|two|three|four|five|six|seven|eight|nine|ten|twenty|[1-9][0-9]?)` +
		`(?: (callers?|instances?|creators?|recorders?|workers?|owners?|readers?|listers?|units? of work|migration runners?))?)`
	afterExpr = `(?:after that )?`
)

// The expressions that match the text before, between and after the calls of a clause.
var (
	whoStart   = regexp.MustCompile(`^` + whoExpr + ` `)
	thenNext   = regexp.MustCompile(`^,? and then `)
	inTurn     = regexp.MustCompile(`^,? one after the other$`)
	oneKilled  = regexp.MustCompile(`^,? and one of them is killed$`)
	clauseNext = regexp.MustCompile(`^(?:,? and|,? while) `)
)

// A phrase is a call as a feature words it. The text that its expression captures is the call's argument.
type phrase struct {
	verb, expr, says string
	match            *regexp.Regexp // expr at the beginning of a text
}

// phrases returns the phrases of all calls.
var phrases = sync.OnceValue(func() []phrase {
	all := wordings()
	for i := range all {
		all[i].match = regexp.MustCompile("^" + all[i].expr)
	}
	return all
})

func wordings() []phrase {
	const name, plan = ` "([^"]+)"`, ` (?:it|the plan(?: "([^"]+)")?)`
	return []phrase{
		{verb: "ask for the engine", expr: `asks? for the engine`, says: `asks for the engine`},
		{verb: "bring the schema up to date", expr: `brings? the schema up to date`, says: `brings the schema up to date`},
		{verb: "create the action", expr: `creates? the action` + name, says: `creates the action "local/review"`},
		{verb: "read the action", expr: `reads? the action` + name, says: `reads the action "local/review"`},
		{verb: "archive the action", expr: `archives? the action` + name, says: `archives the action "local/review"`},
		{verb: "delete the action", expr: `deletes? the action` + name, says: `deletes the action "local/review"`},
		{verb: "list the actions", expr: `lists? the actions`, says: `lists the actions`},
		{verb: "make a plan", expr: `makes? a plan(?: from the action "([^"]+)")?`, says: `makes a plan from the action "local/review"`},
		{verb: "list the plans", expr: `lists? the plans`, says: `lists the plans`},
		{verb: "hear the events", expr: `hears? the events`, says: `hears the events (up to the last one there is then)`},
		{verb: "read the plan's changeset", expr: `reads? the plan's changeset`, says: `reads the plan's changeset`},
		{verb: "read the plan", expr: `reads?` + plan, says: `reads the plan`},
		{verb: "hang in the middle of the plan", expr: `hangs? in the middle of the plan`, says: `hangs in the middle of the plan`},
		{verb: "take the plan over", expr: `takes? the plan over`, says: `takes the plan over, when the time of who has it is over`},
		{verb: "claim the plan", expr: `claims?` + plan, says: `claims the plan (its work on the plan carries the claim from then on)`},
		{verb: "keep the plan", expr: `keeps?` + plan, says: `keeps the plan (renews the claim it had last)`},
		{verb: "give the plan back", expr: `gives?` + plan + ` back`, says: `gives the plan back (releases the claim it had last)`},
		{verb: "bring the plan home", expr: `brings?` + plan + ` home`, says: `brings the plan home (applies its changes)`},
		{verb: "close the plan service", expr: `closes? the plan service`, says: `closes the plan service`},
		{verb: "complete the plan", expr: `completes? the plan`, says: `completes the plan`},
		{verb: "acquire the resource", expr: `acquires? the resource`, says: `acquires the resource`},
		{verb: "look for a job", expr: `looks? for a job`, says: `looks for a job, and runs it`},
		{verb: "start the plan", expr: `starts?` + plan, says: `starts the plan`},
		{verb: "apply the plan", expr: `appl(?:y|ies)` + plan, says: `applies the plan`},
		{verb: "cancel the plan", expr: `cancels?` + plan, says: `cancels the plan`},
		{verb: "archive the plan", expr: `archives?` + plan, says: `archives the plan`},
		{verb: "delete the plan", expr: `deletes?` + plan, says: `deletes the plan`},
		{verb: "execute the plan", expr: `executes?` + plan, says: `executes the plan (the work fails the first time)`},
		{verb: "note a failure", expr: `notes? (?:a|the) failure of a subplan`, says: `notes the failure of a subplan`},
		{verb: "run the plan's parts", expr: `runs? the parts of` + plan, says: `runs the parts of the plan (two subplans side by side, each of which makes a change)`},
		{verb: "run the subplans", expr: `runs? the subplans`, says: `runs the subplans (the first of which fails)`},
		{verb: "start a changeset", expr: `starts? a changeset`, says: `starts a changeset`},
		{verb: "record a change", expr: `records? a change`, says: `records a change`},
		{verb: "finish the changeset", expr: `finish(?:es)? the changeset`, says: `finishes the changeset`},
		{verb: "list the changesets", expr: `lists? the changesets`, says: `lists the changesets`},
		{verb: "ask for the value", expr: `asks? for the value`, says: `asks for the value`},
		{verb: "ask for the other value", expr: `asks? for the other value`, says: `asks for the other value`},
		{verb: "give up", expr: `gives? up asking`, says: `gives up asking`},
		{verb: "read the value", expr: `reads? the value`, says: `reads the value`},
		{verb: "set the value", expr: `sets? the value`, says: `sets the value`},
		{verb: "swap the value", expr: `swaps? the value`, says: `swaps the value`},
		{verb: "delete the value", expr: `deletes? the value`, says: `deletes the value`},
		{verb: "invalidate the value", expr: `invalidates? the value`, says: `invalidates the value`},
		{verb: "fill the value in", expr: `fills? in what was read before`, says: `fills in what was read before`},
		{verb: "lease the value", expr: `leases? the value`, says: `leases the value`},
		{verb: "close the cache", expr: `closes? the cache`, says: `closes the cache`},
	}
}

func whens() []definition {
	var all []definition
	for _, f := range phrases() {
		all = append(all, definition{
			kind: "When", expr: "^" + afterExpr + whoExpr + " " + f.expr + "(?:,? .*)?$", says: "two callers " + f.says,
			read: func(p *plot, line Line, _ []string) error { return p.happen(line.Text) },
		})
	}
	return append(all, definition{
		kind: "When", expr: "^these happen at once:$", says: "these happen at once: (a table of who and does)", table: true, read: (*plot).theseHappen,
	})
}

func (p *plot) theseHappen(line Line, _ []string) error {
	rows, err := rowsOf(line.Table, "who", "does")
	for _, row := range rows {
		if err == nil {
			err = p.happen(row[0] + " " + row[1])
		}
	}
	return err
}

// happen parses a clause and those that follow it. The calls may be followed by "one after the
// other", "one of them is killed", or another clause.
func (p *plot) happen(text string) error {
	a := act{}
	rest := text
	if after, ok := strings.CutPrefix(rest, "after that "); ok {
		a.after, rest = true, after
	}
	who := take(whoStart, &rest)
	if who == nil {
		return fmt.Errorf("who is %q", rest)
	}
	for {
		c, ok := takeCall(&rest)
		if !ok {
			return fmt.Errorf("there is no call %q; there are\n  %s", rest, strings.Join(calls(), "\n  "))
		}
		a.calls = append(a.calls, c)
		if take(thenNext, &rest) == nil {
			break
		}
	}
	a.serial = take(inTurn, &rest) != nil
	a.killed = take(oneKilled, &rest) != nil
	a.callers = p.callers(who[1], who[2])
	p.acts = append(p.acts, a)
	switch {
	case rest == "":
		return nil
	case take(clauseNext, &rest) != nil:
		return p.happen(rest)
	}
	return fmt.Errorf("got %q after %v; want nothing, and then …, and WHO …, while WHO …, one after the other, or and one of them is killed", rest, a.calls)
}

// take removes the match of an expression from the beginning of a text.
func take(expr *regexp.Regexp, rest *string) []string {
	got := expr.FindStringSubmatch(*rest)
	if got != nil {
		*rest = (*rest)[len(got[0]):]
	}
	return got
}

// takeCall removes a call from the beginning of a text.
func takeCall(rest *string) (call, bool) {
	for _, f := range phrases() {
		before := *rest
		got := take(f.match, rest)
		if got == nil {
			continue
		}
		if *rest != "" && !strings.ContainsAny((*rest)[:1], ", ") {
			*rest = before // the phrase matches only the beginning of a longer word
			continue
		}
		return call{f.verb, strings.Join(got[1:], "")}, true
	}
	return call{}, false
}

func calls() (says []string) {
	for _, f := range phrases() {
		says = append(says, f.says)
	}
	return says
}

// callers returns the callers of a clause. New callers take the instances in turn; an ordinal means
// the instance with that number.
func (p *plot) callers(who, noun string) []caller {
	noun = strings.TrimSuffix(noun, "s")
	if noun == "" {
		noun = "caller"
	}
	seen := 0
	for _, a := range p.acts {
		seen += len(a.callers)
	}
	first, n := seen, 1
	switch who {
	case "a", "an", "one", "another", "a second", "a third":
	case "the first":
		first = 0
	case "the second", "the other":
		first = 1
	case "the third":
		first = 2
	case "both", "every":
		first, n = 0, max(2, p.instances)
	default:
		n = number(who)
	}
	var all []caller
	for i := range n {
		all = append(all, caller{fmt.Sprintf("%s %d", noun, first+i+1), first + i})
	}
	return all
}
