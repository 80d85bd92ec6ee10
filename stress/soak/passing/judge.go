package passing

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// Verdict is the result of judging the operations of a soak.
type Verdict struct {
	Operations, Deleted int // how many there were, and how many of them deleted a plan or an action
	Wrong               int // plans and actions without an order, and errors that no contract allows
	Unknown             int // plans and actions that were not decided in time
	Problems            []string
}

// toldProblems is how many problems are reported.
const toldProblems = 5

func (v *Verdict) fail(what string, shown []*Operation) {
	v.Wrong++
	if len(v.Problems) == toldProblems {
		return
	}
	for _, o := range shown {
		what += "\n  " + o.String()
	}
	v.Problems = append(v.Problems, what)
}

// Judge reads the actors' records in a folder and judges them, for at most the limit. An unreadable record is wrong.
func Judge(dir string, limit time.Duration) Verdict {
	all, err := read(dir)
	if err != nil {
		return Verdict{Wrong: 1, Problems: []string{err.Error()}}
	}
	return judge(all, limit)
}

func judge(all []*Operation, limit time.Duration) Verdict {
	v := Verdict{Operations: len(all)}
	for _, o := range all {
		if o.Outcome == OK && (o.Kind == Delete || o.Kind == DeleteAction) {
			v.Deleted++
		}
		if o.Outcome == Wrong {
			v.fail("an error that no contract allows", []*Operation{o})
		}
	}
	until := time.Now().Add(limit)
	ofPlans, ofActions := divide(all)
	decideAll(&v, "plan", ofPlans, plans(), until)
	decideAll(&v, "action", ofActions, actionsWithPlans(), until)
	if v.Unknown > 0 {
		v.Problems = append(v.Problems, fmt.Sprintf("%d plans and actions were not decided in time", v.Unknown))
	}
	return v
}

// divide returns the operations about each plan, and those about each action.
func divide(all []*Operation) (plans, actions map[string][]*Operation) {
	plans, actions = make(map[string][]*Operation), make(map[string][]*Operation)
	for _, o := range all {
		if o.Outcome == Nothing || o.Outcome == Wrong || o.Outcome == Pending && slices.Contains([]Kind{Get, List, Changes}, o.Kind) {
			continue
		}
		if o.Plan != "" {
			plans[o.Plan] = append(plans[o.Plan], o)
		}
		for _, s := range o.Listed {
			plans[s.Plan] = append(plans[s.Plan], reading(o, OK))
		}
		changes := o.Kind == Delete && (o.Outcome == OK || o.Outcome == Pending)
		if changes || slices.Contains([]Kind{CreateAction, DeleteAction, Make}, o.Kind) {
			actions[o.Action] = append(actions[o.Action], o)
		}
	}
	for id, of := range plans {
		plans[id] = append(withMaker(of), unlisted(all, id, of)...)
	}
	return plans, actions
}

// reading returns a listing as a reading of one plan.
func reading(o *Operation, outcome Outcome) *Operation {
	return &Operation{Label: o.Label, Kind: List, Whole: o.Whole, From: o.From, To: o.To, Outcome: outcome}
}

// withMaker adds the missing making of a plan whose maker got no answer.
func withMaker(of []*Operation) []*Operation {
	if slices.ContainsFunc(of, func(o *Operation) bool { return o.Kind == Make }) {
		return of
	}
	return append(of, &Operation{Label: "somebody who was not told", Kind: Make, From: math.MinInt64, To: Never})
}

// unlisted returns the listings that lack a plan, except those that exclude nothing: before its first operation, and
// after its deletion had returned.
func unlisted(all []*Operation, id string, of []*Operation) (without []*Operation) {
	first, last := Never, Never
	for _, o := range of {
		first = min(first, o.From)
		if o.Kind == Delete && o.Outcome == OK {
			last = min(last, o.To)
		}
	}
	for _, o := range all {
		if o.Kind != List || o.Outcome != OK || o.To < first || o.From > last {
			continue
		}
		if !slices.ContainsFunc(o.Listed, func(s Seen) bool { return s.Plan == id }) {
			without = append(without, reading(o, NotFound))
		}
	}
	return without
}

func decideAll[S comparable](v *Verdict, what string, all map[string][]*Operation, m model[S], until time.Time) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		of := all[name]
		switch decide(of, m, max(time.Until(until), 1)) { // 0 would mean no limit
		case porcupine.Unknown:
			v.Unknown++
		case porcupine.Illegal:
			slices.SortStableFunc(of, func(a, b *Operation) int { return cmp.Compare(a.From, b.From) })
			v.fail(fmt.Sprintf("%s %s: there is no order of its %d operations", what, name, len(of)), of)
		}
	}
}

// decide calls porcupine. A pending operation has taken effect or not, whichever fits.
func decide[S comparable](of []*Operation, m model[S], limit time.Duration) porcupine.CheckResult {
	var zero S
	history := make([]porcupine.Operation, len(of))
	for i, o := range of {
		history[i] = porcupine.Operation{ClientId: i, Input: o, Call: o.From, Return: o.To}
	}
	return porcupine.CheckOperationsTimeout((&porcupine.NondeterministicModel{
		Init: func() []any { return []any{zero} },
		Step: func(state, input, _ any) []any { return m.step(state.(S), input.(*Operation)) },
	}).ToModel(), history, limit)
}

// step returns the possible states after an operation.
func (m model[S]) step(s S, o *Operation) []any {
	next, outcome := m.apply(s, o)
	switch {
	case o.Outcome == Pending && outcome == OK && next != s:
		return []any{s, next}
	case o.Outcome == Pending:
		return []any{s}
	case outcome == o.Outcome && m.agrees(s, next, o):
		return []any{next}
	}
	return nil
}
