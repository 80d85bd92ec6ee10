package lifecycle_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func TestActionSpecIsChecked(t *testing.T) {
	with := func(change func(*lifecycle.ActionSpec)) lifecycle.ActionSpec {
		s := spec("a")
		change(&s)
		return s
	}
	argument := func(a ...lifecycle.Argument) lifecycle.ActionSpec {
		return with(func(s *lifecycle.ActionSpec) { s.Arguments = a })
	}
	tests := []struct {
		field string
		spec  lifecycle.ActionSpec
	}{
		{"name", with(func(s *lifecycle.ActionSpec) { s.Name = "" })},
		{"description", with(func(s *lifecycle.ActionSpec) { s.Description = "\x00" })},
		{"strategy actor", with(func(s *lifecycle.ActionSpec) { s.Actors.Strategy = "" })},
		{"execution actor", with(func(s *lifecycle.ActionSpec) { s.Actors.Execution = "" })},
		{"invariant actor", with(func(s *lifecycle.ActionSpec) { s.Actors.Invariant = "\xff" })},
		{"arguments[0].name", argument(lifecycle.Argument{})},
		{"arguments[0].name", argument(lifecycle.Argument{Name: "a b"})},
		{"arguments[1].name", argument(lifecycle.Argument{Name: "a"}, lifecycle.Argument{Name: "a"})},
		{"arguments[0].type", argument(lifecycle.Argument{Name: "a", Type: "date"})},
		{"arguments[0].description", argument(lifecycle.Argument{Name: "a", Description: "\x00"})},
		{"arguments[0].pattern", argument(lifecycle.Argument{Name: "a", Pattern: "("})},
		{"arguments[0].pattern", argument(lifecycle.Argument{Name: "a", Pattern: "a)(?:b"})},
		{"arguments[0].max", argument(lifecycle.Argument{Name: "a", Min: number(2), Max: number(1)})},
		{"arguments[0]", argument(lifecycle.Argument{Name: "a", Min: number(math.NaN())})},
		{"arguments[0]", argument(lifecycle.Argument{Name: "a", Max: number(math.Inf(1))})},
		{"arguments[0]", argument(lifecycle.Argument{Name: "a", Type: lifecycle.ArgumentBoolean, Min: number(1)})},
		{"arguments[0].default", argument(lifecycle.Argument{Name: "a", Type: lifecycle.ArgumentInteger, Default: "x"})},
		{"arguments[0].default", argument(lifecycle.Argument{Name: "a", Default: "a\x00"})},
		{"arguments[0].position", argument(lifecycle.Argument{Name: "a"}, lifecycle.Argument{Name: "b", Position: 1})},
		{"arguments[1].position", argument(lifecycle.Argument{Name: "a", Position: 1}, lifecycle.Argument{Name: "b", Position: 1})},
	}
	s := open(t, lifecycle.Config{})
	for _, test := range tests {
		_, err := s.CreateAction(context.Background(), test.spec)
		var invalid *lifecycle.InvalidError
		if !errors.As(err, &invalid) || invalid.Field != test.field {
			t.Errorf("got %v, want %s refused", err, test.field)
		}
	}
	if all, err := s.ListActions(context.Background()); err != nil || len(all) != 0 {
		t.Errorf("got %v, %v, want no action", all, err)
	}
}

func TestUseActionArguments(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		given map[string]string
		want  map[string]string // nil for ErrInvalid
	}{
		{map[string]string{"where": "here"}, map[string]string{"where": "here", "times": "3"}},
		{map[string]string{"where": "here", "times": "9", "share": "1e-3", "dry": "true"},
			map[string]string{"where": "here", "times": "9", "share": "1e-3", "dry": "true"}},
		{nil, nil},
		{map[string]string{"where": ""}, nil},
		{map[string]string{"where": "Here"}, nil},
		{map[string]string{"where": "here\n"}, nil},
		{map[string]string{"where": "somewhereelse"}, nil},
		{map[string]string{"where": "\xff"}, nil},
		{map[string]string{"where": "here", "times": "0"}, nil},
		{map[string]string{"where": "here", "times": "10"}, nil},
		{map[string]string{"where": "here", "times": "3.0"}, nil},
		{map[string]string{"where": "here", "times": "99999999999999999999"}, nil},
		{map[string]string{"where": "here", "share": "NaN"}, nil},
		{map[string]string{"where": "here", "share": "half"}, nil},
		{map[string]string{"where": "here", "dry": "yes"}, nil},
		{map[string]string{"where": "here", "other": "x"}, nil},
	}
	s := open(t, lifecycle.Config{})
	_, err := s.CreateAction(ctx, fullSpec())
	check(t, err)
	used := int64(0)
	for _, test := range tests {
		p, err := s.UseAction(ctx, "tools/deploy", lifecycle.UseOptions{Arguments: test.given})
		switch {
		case test.want == nil && !errors.Is(err, lifecycle.ErrInvalid):
			t.Errorf("%v: got %v, want ErrInvalid", test.given, err)
		case test.want != nil && (err != nil || !reflect.DeepEqual(p.Arguments, test.want)):
			t.Errorf("%v: got %v, %v, want %v", test.given, p.Arguments, err, test.want)
		case test.want != nil:
			used++
		}
	}
	if a, err := s.GetAction(ctx, "tools/deploy"); err != nil || a.Uses != used {
		t.Errorf("got %d uses, %v, want %d", a.Uses, err, used)
	}
}
