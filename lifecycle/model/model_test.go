package model_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/model"
)

// A change of a clone does not change the original or another clone.
func TestClone(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	m := model.New()
	_, err := m.CreateAction(lifecycle.ActionSpec{Name: "a", Actors: lifecycle.Actors{Strategy: "s", Execution: "e"}, Reusable: true}, now)
	must(err)
	p, err := m.UseAction("a", lifecycle.UseOptions{}, now)
	must(err)
	m.AddPlan(p, "p")
	m.AddChangeset("p", "c", now)
	record := func(m *model.Model, path string) {
		t.Helper()
		_, err := m.RecordChange("p", lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path}, now)
		must(err)
	}
	for i := range 3 { // so the entries have room to grow in place
		record(m, fmt.Sprint(i))
	}
	before, one, other := m.Clone(), m.Clone(), m.Clone()
	record(one, "one")
	record(other, "other")
	_, err = other.ArchiveAction("a", now)
	must(err)
	must(other.FinishChangeset("p", "c", now))
	if !reflect.DeepEqual(m, before) {
		t.Errorf("got %+v, want %+v", m, before)
	}
	if all, err := one.Changesets("p"); err != nil || !all[0].Open() || all[0].Entries[3].Path != "one" {
		t.Errorf("got %+v, %v; want the clone's own change in an open changeset", all, err)
	}
}

func TestAgree(t *testing.T) {
	both := errors.Join(lifecycle.ErrInvalid, lifecycle.ErrArchived)
	for _, c := range []struct {
		got, want error
		agree     bool
	}{
		{nil, nil, true},
		{nil, lifecycle.ErrNotFound, false},
		{lifecycle.ErrNotFound, nil, false},
		{fmt.Errorf("plan: %w", lifecycle.ErrNotFound), lifecycle.ErrNotFound, true},
		{lifecycle.ErrArchived, both, true},
		{both, both, false}, // an error must be of a single kind
		{errors.New("disk full"), lifecycle.ErrNotFound, false},
	} {
		if got := model.Agree(c.got, c.want); got != c.agree {
			t.Errorf("%v and %v: got %t, want %t", c.got, c.want, got, c.agree)
		}
	}
}
