package domain_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused checks that an error is about a field of the input.
func refused(t *testing.T, what any, err error, field string) {
	t.Helper()
	var invalid *faults.InvalidError
	if !errors.As(err, &invalid) || !errors.Is(err, faults.ErrInvalid) || invalid.Field != field {
		t.Errorf("%.200v: got %.300v, want %s refused", what, err, field)
	}
}

func number(f float64) *float64 { return &f }

// spec returns the spec of a reusable action.
func spec(name string) domain.ActionSpec {
	return domain.ActionSpec{Name: name, Actors: domain.Actors{Strategy: "strategist", Execution: "executor"}, Reusable: true}
}

func TestActionSpecIsChecked(t *testing.T) {
	with := func(change func(*domain.ActionSpec)) domain.ActionSpec {
		s := spec("a")
		change(&s)
		return s
	}
	argument := func(a ...domain.Argument) domain.ActionSpec {
		return with(func(s *domain.ActionSpec) { s.Arguments = a })
	}
	half := strings.Repeat("x", domain.MaxText/2)
	for _, test := range []struct {
		field string
		spec  domain.ActionSpec
	}{
		{"name", with(func(s *domain.ActionSpec) { s.Name = "" })},
		{"action", with(func(s *domain.ActionSpec) { s.Description, s.DefinitionOfDone = half, half })},
		{"action", argument(make([]domain.Argument, domain.MaxText/64)...)},
		{"description", with(func(s *domain.ActionSpec) { s.Description = "\x00" })},
		{"strategy actor", with(func(s *domain.ActionSpec) { s.Actors.Strategy = "" })},
		{"execution actor", with(func(s *domain.ActionSpec) { s.Actors.Execution = "" })},
		{"invariant actor", with(func(s *domain.ActionSpec) { s.Actors.Invariant = "\xff" })},
		{"arguments[0].name", argument(domain.Argument{})},
		{"arguments[0].name", argument(domain.Argument{Name: "a b"})},
		{"arguments[1].name", argument(domain.Argument{Name: "a"}, domain.Argument{Name: "a"})},
		{"arguments[0].type", argument(domain.Argument{Name: "a", Type: "date"})},
		{"arguments[0].description", argument(domain.Argument{Name: "a", Description: "\x00"})},
		{"arguments[0].pattern", argument(domain.Argument{Name: "a", Pattern: "("})},
		{"arguments[0].pattern", argument(domain.Argument{Name: "a", Pattern: "a)(?:b"})},
		{"arguments[0].pattern", argument(domain.Argument{Name: "a", Pattern: strings.Repeat("x", 4097)})},
		{"arguments[0].max", argument(domain.Argument{Name: "a", Min: number(2), Max: number(1)})},
		{"arguments[0]", argument(domain.Argument{Name: "a", Min: number(math.NaN())})},
		{"arguments[0]", argument(domain.Argument{Name: "a", Max: number(math.Inf(1))})},
		{"arguments[0]", argument(domain.Argument{Name: "a", Type: domain.ArgumentBoolean, Min: number(1)})},
		{"arguments[0].default", argument(domain.Argument{Name: "a", Type: domain.ArgumentInteger, Default: "x"})},
		{"arguments[0].default", argument(domain.Argument{Name: "a", Default: "a\x00"})},
		{"arguments[0].position", argument(domain.Argument{Name: "a"}, domain.Argument{Name: "b", Position: 1})},
		{"arguments[1].position", argument(domain.Argument{Name: "a", Position: 1}, domain.Argument{Name: "b", Position: 1})},
	} {
		_, err := domain.NewAction(test.spec)
		refused(t, test.field, err, test.field)
	}
}

// deploy returns an action that has an argument of each type.
func deploy(t *testing.T) domain.Action {
	t.Helper()
	s := spec("Tools/Deploy")
	s.Arguments = []domain.Argument{
		{Name: "where", Required: true, Pattern: "[a-z]+", Max: number(8), Position: 2},
		{Name: "times", Type: domain.ArgumentInteger, Min: number(1), Max: number(9), Default: "3", Position: 1},
		{Name: "share", Type: domain.ArgumentFloat, Description: "of all", Position: 3},
		{Name: "dry", Type: domain.ArgumentBoolean, Position: 4},
	}
	a, err := domain.NewAction(s)
	check(t, err)
	*s.Arguments[0].Max = 0 // the action has a copy
	if a.Name.String() != "tools/deploy" || a.State != domain.ActionAvailable || a.Arguments[0].Name != "times" || *a.Arguments[1].Max != 8 {
		t.Fatalf("got %+v, want the action with its arguments in order", a)
	}
	return a
}

func TestArgumentsOfAUse(t *testing.T) {
	for _, test := range []struct {
		given map[string]string
		want  map[string]string // nil if the arguments are refused
		field string
	}{
		{given: map[string]string{"where": "here"}, want: map[string]string{"where": "here", "times": "3"}},
		{given: map[string]string{"where": "here", "times": "9", "share": "1e-3", "dry": "true"},
			want: map[string]string{"where": "here", "times": "9", "share": "1e-3", "dry": "true"}},
		{given: nil, field: "where"},
		{given: map[string]string{"where": ""}, field: "where"},
		{given: map[string]string{"where": "Here"}, field: "where"},
		{given: map[string]string{"where": "here\n"}, field: "where"},
		{given: map[string]string{"where": "somewhereelse"}, field: "where"},
		{given: map[string]string{"where": "\xff"}, field: "where"},
		{given: map[string]string{"where": "here", "times": "0"}, field: "times"},
		{given: map[string]string{"where": "here", "times": "10"}, field: "times"},
		{given: map[string]string{"where": "here", "times": "3.0"}, field: "times"},
		{given: map[string]string{"where": "here", "times": "99999999999999999999"}, field: "times"},
		{given: map[string]string{"where": "here", "share": "NaN"}, field: "share"},
		{given: map[string]string{"where": "here", "share": "half"}, field: "share"},
		{given: map[string]string{"where": "here", "dry": "yes"}, field: "dry"},
		{given: map[string]string{"where": "here", "other": "x"}, field: "other"},
	} {
		p, err := domain.NewPlan(deploy(t), domain.UseOptions{Arguments: test.given})
		if test.want == nil {
			refused(t, test.given, err, "arguments."+test.field)
			continue
		}
		if err != nil || !reflect.DeepEqual(p.Arguments, test.want) {
			t.Errorf("%v: got %v, %v, want %v", test.given, p.Arguments, err, test.want)
		}
	}
	wrecked := deploy(t)
	wrecked.Arguments = []domain.Argument{{Name: "a", Pattern: "("}} // as another program may have stored it
	_, err := domain.NewPlan(wrecked, domain.UseOptions{Arguments: map[string]string{"a": "b"}})
	refused(t, "a pattern that is none", err, "arguments.a")
}

func TestUseIsChecked(t *testing.T) {
	a, err := domain.NewAction(spec("build"))
	check(t, err)
	p, err := domain.NewPlan(a, domain.UseOptions{})
	if err != nil || p.Name != a.Name || p.Position().String() != "strategize/queued" || p.Version != 1 || p.Attempt != 1 || p.Arguments != nil {
		t.Errorf("got %+v, %v, want a first plan of the action", p, err)
	}
	project := domain.Name{Namespace: "local", Base: "p"}
	p, err = domain.NewPlan(a, domain.UseOptions{Name: "Mine", Description: "other", Projects: []domain.ProjectLink{{Name: project, Alias: "it"}}})
	if err != nil || p.Name.String() != "local/mine" || p.Action != a.Name || p.Description != "other" || len(p.Projects) != 1 {
		t.Errorf("got %+v, %v, want what the options say", p, err)
	}
	for field, o := range map[string]domain.UseOptions{
		"name":              {Name: "a b"},
		"parent":            {ParentID: "\xff"},
		"profile":           {Profile: "\x00"},
		"projects[0]":       {Projects: make([]domain.ProjectLink, 1)},
		"projects[1]":       {Projects: []domain.ProjectLink{{Name: project}, {Name: project}}},
		"projects[0].alias": {Projects: []domain.ProjectLink{{Name: project, Alias: "\xff"}}},
		"plan":              {Projects: make([]domain.ProjectLink, domain.MaxText/64+1)},
	} {
		_, err := domain.NewPlan(a, o)
		refused(t, field, err, field)
	}
}

func TestEntriesAreChecked(t *testing.T) {
	half := strings.Repeat("x", domain.MaxText/2)
	for _, test := range []struct {
		field string
		entry domain.Entry
	}{
		{"operation", domain.Entry{}},
		{"operation", domain.Entry{Operation: "chmod", Path: "a"}},
		{"path", domain.Entry{Operation: domain.OperationModify}},
		{"path", domain.Entry{Operation: domain.OperationModify, Path: "\xff"}},
		{"moved from", domain.Entry{Operation: domain.OperationModify, Path: "a", MovedFrom: "b"}},
		{"before hash", domain.Entry{Operation: domain.OperationCreate, Path: "a", BeforeHash: "b"}},
		{"after hash", domain.Entry{Operation: domain.OperationDelete, Path: "a", AfterHash: "b"}},
		{"moved from", domain.Entry{Operation: domain.OperationMove, Path: "a", MovedFrom: "\x00"}},
		{"change", domain.Entry{Operation: domain.OperationMove, Path: half, MovedFrom: half, AfterHash: "x"}},
	} {
		refused(t, test.entry, domain.CheckEntry(test.entry), test.field)
	}
	check(t, domain.CheckEntry(domain.Entry{Operation: domain.OperationMove, Path: "a", MovedFrom: "b"}))
	if c := (domain.Changeset{}); !c.Open() {
		t.Error("got an unfinished changeset closed, want it open")
	}
}

func TestFilter(t *testing.T) {
	for field, filters := range map[string][]domain.PlanFilter{
		"limit":           {{Limit: -1}},
		"phase and state": {{Phase: "loom"}, {State: "torn"}, {Phase: domain.PhaseExecute, State: domain.StateApplied}},
		"parent":          {{ParentID: "\xff"}},
	} {
		for _, f := range filters {
			refused(t, fmt.Sprintf("%+v", f), domain.CheckFilter(f), field)
		}
	}
	p := &domain.Plan{ID: "b", ParentID: "a", Action: domain.Name{Base: "x"}, Phase: domain.PhaseApply, State: domain.StateQueued}
	for _, f := range []domain.PlanFilter{{}, {ParentID: "a", Action: p.Action}, {Phase: p.Phase, State: p.State, After: "a"}} {
		check(t, domain.CheckFilter(f))
		if !domain.Wants(f, p) {
			t.Errorf("%+v: got no match, want %+v", f, p)
		}
	}
	for _, f := range []domain.PlanFilter{{ParentID: "b"}, {After: "b"}, {State: domain.StateErrored}, {Action: domain.Name{Base: "y"}}} {
		if domain.Wants(f, p) {
			t.Errorf("%+v: got %+v, want no match", f, p)
		}
	}
	p.Archived = true
	if domain.Wants(domain.PlanFilter{}, p) || !domain.Wants(domain.PlanFilter{Archived: true}, p) {
		t.Errorf("got %+v matched without Archived, or not with it", p)
	}
}

// Two actions are alike if their values are equal, wherever these are stored.
func TestLike(t *testing.T) {
	action := func(change func(*domain.Action)) domain.Action {
		least := 1.0
		a := domain.Action{Name: domain.Name{Base: "a"}, Arguments: []domain.Argument{{Name: "n", Min: &least}}}
		change(&a)
		return a
	}
	a := action(func(*domain.Action) {})
	if b := action(func(a *domain.Action) { a.Uses, a.State = 7, domain.ActionArchived }); !domain.Like(a, b) {
		t.Errorf("got %+v unlike %+v, want them alike except for their uses", a, b)
	}
	for _, change := range []func(*domain.Action){
		func(a *domain.Action) { a.Description = "another" },
		func(a *domain.Action) { a.Actors.Review = "another" },
		func(a *domain.Action) { a.Reusable = true },
		func(a *domain.Action) { a.Arguments = nil },
		func(a *domain.Action) { *a.Arguments[0].Min = 2 },
		func(a *domain.Action) { a.Arguments[0].Min = nil },
		func(a *domain.Action) { a.Arguments[0].Pattern = "x" },
	} {
		if b := action(change); domain.Like(a, b) {
			t.Errorf("got %+v like %+v, want them to differ", a, b)
		}
	}
}
