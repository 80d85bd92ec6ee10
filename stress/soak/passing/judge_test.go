package passing

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// history sets the times of consecutive operations. By default they are on plan p of action x.
func history(all ...*Operation) []*Operation {
	for i, o := range all {
		o.Label, o.From, o.To = string(rune('a'+i)), int64(10*i), int64(10*i+5)
		if o.Outcome == Pending {
			o.To = Never
		}
		if o.Action == "" {
			o.Action = "x"
		}
		if o.Plan == "" && !slices.Contains([]Kind{List, CreateAction, DeleteAction}, o.Kind) {
			o.Plan = "p"
		}
	}
	return all
}

func create() *Operation { return &Operation{Kind: CreateAction, Outcome: OK} }
func made() *Operation   { return &Operation{Kind: Make, Outcome: OK, Version: 1} }
func start() *Operation  { return &Operation{Kind: Start, Outcome: OK} }
func list() *Operation   { return &Operation{Kind: List, Outcome: OK, Listed: []Seen{{"p", "x"}}} }

func did(k Kind, o Outcome) *Operation { return &Operation{Kind: k, Outcome: o} }

// The judge accepts possible histories, and rejects each kind of impossible one.
func TestJudge(t *testing.T) {
	cancelled := func() *Operation { return &Operation{Kind: Cancel, Outcome: OK, Version: 2, Ended: true} }
	away := func() *Operation { return &Operation{Kind: PutAway, Outcome: OK, Version: 3, Ended: true, Away: true} }
	for name, c := range map[string]struct {
		all  []*Operation
		want string // the beginning of the problem; empty if there is none
	}{
		"a whole life": {history(create(), made(), start(), did(Record, OK), &Operation{Kind: Changes, Outcome: OK, Entries: []string{"d"}}, list(),
			did(PutAway, NotReady), cancelled(), did(Record, Finished), did(Cancel, Refused), away(), did(PutAway, Archived), did(List, OK),
			&Operation{Kind: DeleteAction, Outcome: Referred, Plans: 1}, did(Delete, OK), did(Get, NotFound), did(Delete, NotFound),
			did(DeleteAction, OK), did(DeleteAction, NotFound), create(), did(CreateAction, Exists)), ""},
		"a deleted plan that still lists":     {history(create(), made(), did(Delete, OK), list()), "plan p"},
		"a change recorded behind a deletion": {history(create(), made(), start(), did(Delete, OK), did(Record, OK)), "plan p"},
		"a plan that is there and not listed": {history(create(), made(), did(List, OK), list()), "plan p"},
		"a plan put away that still lists":    {history(create(), made(), cancelled(), away(), list()), "plan p"},
		"a plan deleted twice":                {history(create(), made(), did(Delete, OK), did(Delete, OK)), "plan p"},
		"a change that is lost":               {history(create(), made(), start(), did(Record, OK), did(Changes, OK)), "plan p"},
		"an action deleted under its plan":    {history(create(), made(), did(DeleteAction, OK)), "action x"},
		"an action kept for no plan": {history(create(), made(), did(Delete, OK), &Operation{Kind: DeleteAction, Outcome: Referred, Plans: 1}),
			"action x"},
		"a plan of a deleted action":           {history(create(), did(DeleteAction, OK), made()), "action x"},
		"a deletion cut off that has happened": {history(create(), made(), did(Delete, Pending), list(), did(Get, NotFound), did(DeleteAction, OK)), ""},
		"a deletion cut off that has not":      {history(create(), made(), did(Delete, Pending), list()), ""},
		"one cut off that has, and has not":    {history(create(), made(), did(Delete, Pending), did(Get, NotFound), list()), "plan p"},
		"a plan whose maker was killed":        {history(create(), &Operation{Kind: Make, Plan: " "}, list(), did(Delete, OK)), ""},
		"a deletion that was not come to":      {history(create(), made(), did(Delete, Nothing), list()), ""},
		"an error that is in no contract":      {history(create(), did(Make, Wrong)), "an error"},
		"a listing that began before the delete": {func() []*Operation {
			all := history(create(), made(), did(Delete, OK), list())
			all[3].From = all[2].From
			return all
		}(), ""},
	} {
		v := judge(c.all, time.Minute)
		switch {
		case v.Unknown > 0 || (v.Wrong > 0) != (c.want != ""):
			t.Errorf("%s: got %+v, want %q", name, v, c.want)
		case c.want != "" && !strings.HasPrefix(v.Problems[0], c.want):
			t.Errorf("%s: got %q, want %q", name, v.Problems, c.want)
		}
	}
}
