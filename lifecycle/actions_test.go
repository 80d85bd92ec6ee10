package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func number(f float64) *float64 { return &f }

// fullSpec returns a spec with every field set.
func fullSpec() lifecycle.ActionSpec {
	return lifecycle.ActionSpec{
		Name:             "Tools/Deploy",
		Description:      "Deploys <it> & \"more\"; DROP TABLE actions; --",
		DefinitionOfDone: "läuft ✓",
		Actors: lifecycle.Actors{
			Strategy: "a", Execution: "b", Estimation: "c", Review: "d", Apply: "e", Invariant: "f",
		},
		Arguments: []lifecycle.Argument{
			{Name: "where", Required: true, Pattern: "[a-z]+", Max: number(8), Position: 2},
			{Name: "times", Type: lifecycle.ArgumentInteger, Min: number(1), Max: number(9), Default: "3", Position: 1},
			{Name: "share", Type: lifecycle.ArgumentFloat, Description: "of all", Position: 3},
			{Name: "dry", Type: lifecycle.ArgumentBoolean, Position: 4},
		},
		Reusable: true,
		ReadOnly: true,
	}
}

func TestCreateAction(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		created, err := s.CreateAction(ctx, fullSpec())
		check(t, err)
		if got := created.Name.String(); got != "tools/deploy" {
			t.Errorf("got name %q, want tools/deploy", got)
		}
		if created.State != lifecycle.ActionAvailable || created.Uses != 0 || !created.Reusable || !created.ReadOnly {
			t.Errorf("got %+v, want it available, unused, reusable and read-only", created)
		}
		if created.Arguments[0].Name != "times" || created.Arguments[1].Type != lifecycle.ArgumentString {
			t.Errorf("got arguments %+v, want them by position and typed", created.Arguments)
		}
		for range 2 { // the second read may come from a cache
			got, err := s.GetAction(ctx, "TOOLS/deploy")
			if err != nil || !reflect.DeepEqual(got, created) {
				t.Errorf("got %+v, %v, want what was created: %+v", got, err, created)
			}
		}
		_, err = s.CreateAction(ctx, spec("tools/DEPLOY"))
		var exists *lifecycle.AlreadyExistsError
		if !errors.Is(err, lifecycle.ErrAlreadyExists) || !errors.As(err, &exists) || exists.ID != "tools/deploy" {
			t.Errorf("got %v, want ErrAlreadyExists for tools/deploy", err)
		}
		if got, err := s.GetAction(ctx, "tools/deploy"); err != nil || got.DefinitionOfDone != "läuft ✓" {
			t.Errorf("got %+v, %v, want the first action untouched", got, err)
		}
	})
}

func TestGetActionErrors(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		_, err := s.GetAction(ctx, "a/b")
		var missing *lifecycle.NotFoundError
		if !errors.Is(err, lifecycle.ErrNotFound) || !errors.As(err, &missing) || missing.ID != "a/b" || missing.Kind != lifecycle.KindAction {
			t.Errorf("got %v, want ErrNotFound for action a/b", err)
		}
		if _, err := s.GetAction(ctx, "a b"); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("got %v, want ErrInvalid", err)
		}
	})
}

func TestListActions(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		if got, err := s.ListActions(ctx); err != nil || len(got) != 0 {
			t.Errorf("got %v, %v, want none", got, err)
		}
		for _, name := range []string{"c", "a", "s:b/b"} {
			_, err := s.CreateAction(ctx, spec(name))
			check(t, err)
		}
		_, err := s.ArchiveAction(ctx, "c")
		check(t, err)
		all, err := s.ListActions(ctx)
		check(t, err)
		var got []string
		for _, a := range all {
			got = append(got, a.Name.String()+" "+string(a.State))
		}
		want := []string{"local/a available", "local/c archived", "s:b/b available"}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestArchiveAction(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		_, err := s.CreateAction(ctx, spec("a"))
		check(t, err)
		_, err = s.UseAction(ctx, "a", lifecycle.UseOptions{})
		check(t, err)
		archived, err := s.ArchiveAction(ctx, "a")
		if err != nil || archived.State != lifecycle.ActionArchived || archived.Uses != 1 {
			t.Errorf("got %+v, %v, want it archived after one use", archived, err)
		}
		_, again := s.ArchiveAction(ctx, "a")
		_, use := s.UseAction(ctx, "a", lifecycle.UseOptions{})
		for _, err := range []error{again, use} {
			var e *lifecycle.ArchivedError
			if !errors.Is(err, lifecycle.ErrArchived) || !errors.As(err, &e) || e.Uses != 1 {
				t.Errorf("got %v, want ErrArchived after 1 use", err)
			}
		}
		if _, err := s.ArchiveAction(ctx, "b"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
		if _, err := s.ArchiveAction(ctx, "b b"); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("got %v, want ErrInvalid", err)
		}
		if plans, err := s.ListPlans(ctx); err != nil || len(plans) != 1 {
			t.Errorf("got %d plans, %v, want the one", len(plans), err)
		}
	})
}

// The texts of an action are returned unchanged, or refused.
func TestActionTextIsKeptOrRefused(t *testing.T) {
	ctx := context.Background()
	kept := []string{"'; --", `"\`, "\u2028\U0001F600", "<&>", strings.Repeat("x", 10<<20)}
	refused := []string{"\xff", "a\x00b"}
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		for i, value := range kept {
			a := spec(fmt.Sprint("a", i))
			a.Description = value
			_, err := s.CreateAction(ctx, a)
			check(t, err)
			if got, err := s.GetAction(ctx, a.Name); err != nil || got.Description != value {
				t.Errorf("got %.20q, %v, want %.20q", got.Description, err, value)
			}
		}
		for _, value := range refused {
			a := spec("refused")
			a.DefinitionOfDone = value
			if _, err := s.CreateAction(ctx, a); !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("%q: got %v, want ErrInvalid", value, err)
			}
		}
	})
}

func TestThousandArguments(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		a := spec("many")
		values := make(map[string]string)
		for i := range 1000 {
			name := fmt.Sprint("arg", i)
			a.Arguments = append(a.Arguments, lifecycle.Argument{Name: name, Required: true})
			values[name] = fmt.Sprint("value ", i)
		}
		_, err := s.CreateAction(ctx, a)
		check(t, err)
		p, err := s.UseAction(ctx, "many", lifecycle.UseOptions{Arguments: values})
		check(t, err)
		if got, err := s.GetPlan(ctx, p.ID); err != nil || !reflect.DeepEqual(got.Arguments, values) {
			t.Errorf("got %d arguments, %v, want the thousand given", len(got.Arguments), err)
		}
	})
}

// A caller's values and the store share no memory.
func TestActionsAreSnapshots(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		given := fullSpec()
		created, err := s.CreateAction(ctx, given)
		check(t, err)
		want, err := s.GetAction(ctx, "tools/deploy")
		check(t, err)
		spoil := func(a lifecycle.Action) {
			a.Arguments[0].Name = "spoiled"
			*a.Arguments[0].Min = 77
		}
		spoil(lifecycle.Action{Arguments: []lifecycle.Argument{given.Arguments[1]}})
		spoil(created)
		again, err := s.GetAction(ctx, "tools/deploy")
		check(t, err)
		spoil(again)
		all, err := s.ListActions(ctx)
		check(t, err)
		spoil(all[0])
		if got, err := s.GetAction(ctx, "tools/deploy"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

func TestTimesAreStoredExactly(t *testing.T) {
	ctx := context.Background()
	moments := []time.Time{
		time.Date(2026, 5, 4, 3, 2, 1, 987654321, time.FixedZone("x", 3600)),
		time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
	}
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			for _, now := range moments {
				s := open(t, lifecycle.Config{URL: store.url(t), Clock: func() time.Time { return now }})
				_, err := s.CreateAction(ctx, spec("a"))
				check(t, err)
				want := now.UTC().Truncate(time.Microsecond)
				if got, err := s.GetAction(ctx, "a"); err != nil || got.CreatedAt != want || got.UpdatedAt != want {
					t.Errorf("got %v, %v, want %v", got.CreatedAt, err, want)
				}
				check(t, s.Close())
			}
		})
	}
}
