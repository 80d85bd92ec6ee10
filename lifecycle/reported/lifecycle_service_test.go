package reported_test

import (
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func TestInSequenceADuplicateActionIsRefused(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		s := v.service(counter("p"))
		first, err := s.CreateAction(lifecycle.ActionSpec{Name: "Review", Description: "the first"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreateAction(lifecycle.ActionSpec{Name: "local/review"}); !errors.Is(err, lifecycle.ErrAlreadyExists) {
			t.Errorf("second create: got %v, want already exists", err)
		}
		if got, err := s.GetAction("review"); got != first || err != nil {
			t.Errorf("get: got %+v, %v; want the first one", got, err)
		}
		if _, err := s.CreateAction(lifecycle.ActionSpec{Name: "a b"}); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("create with a bad name: got %v, want invalid", err)
		}
		if _, err := s.GetAction("deploy"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("get of no action: got %v, want not found", err)
		}
		if _, err := s.GetAction("a b"); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("get with a bad name: got %v, want invalid", err)
		}
	})
}

func TestInSequencePlansAreFoundAndListed(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		s := v.service(counter("p"))
		if _, err := s.UseAction("review"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("use of no action: got %v, want not found", err)
		}
		if _, err := s.CreateAction(lifecycle.ActionSpec{Name: "review"}); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			plan, err := s.UseAction("review")
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.GetPlan(plan.ID); got != plan || err != nil {
				t.Errorf("get: got %+v, %v; want the object that was returned", got, err)
			}
			if got := len(s.ListPlans()); got != i+1 {
				t.Errorf("listed: got %d, want %d", got, i+1)
			}
		}
		if _, err := s.GetPlan("p9"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("get of no plan: got %v, want not found", err)
		}
	})
}

// A listing is a snapshot of which plans exist, but shares the objects: in both variants, as in Python.
func TestAListingHoldsTheObjectsThemselves(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		s := v.service(counter("p"))
		if _, err := s.CreateAction(lifecycle.ActionSpec{Name: "review"}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.UseAction("review"); err != nil {
			t.Fatal(err)
		}
		listing := s.ListPlans()
		if _, err := s.UseAction("review"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.StartStrategize("p1"); err != nil {
			t.Fatal(err)
		}
		if len(listing) != 1 || listing[0].State != lifecycle.StateProcessing {
			t.Errorf("got %d plans, the first %s; want 1, processing", len(listing), listing[0].State)
		}
		if _, err := s.StartStrategize("p1"); !errors.Is(err, lifecycle.ErrNotReady) {
			t.Errorf("second start: got %v, want not ready", err)
		}
		if _, err := s.StartStrategize("p9"); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("start of no plan: got %v, want not found", err)
		}
	})
}
