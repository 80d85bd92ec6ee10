package races_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/internal/testrun"
)

// These tests run each body on correct and on faulty subjects, and compare what it reports.

var errDisk = errors.New("disk full")

// judge runs a body sequentially. It must report exactly one failure, which contains want, or none for an empty want.
func judge(t *testing.T, want string, body races.Body) {
	t.Helper()
	s := &testrun.Sequential{Host: t}
	if err := s.Run(body); err != nil {
		t.Fatalf("got error %v, want none", err)
	}
	switch {
	case want == "" && len(s.Failures) > 0:
		t.Errorf("got %q, want no failure", s.Failures)
	case want != "" && (len(s.Failures) != 1 || !strings.Contains(s.Failures[0], want)):
		t.Errorf("got %q\nwant one failure that says %q", s.Failures, want)
	}
}

type fakeEngine struct {
	number   int
	migrated bool
}

func (e *fakeEngine) Number() int                   { return e.number }
func (e *fakeEngine) Migrate(context.Context) error { e.migrated = true; return nil }
func (e *fakeEngine) CountPlans(context.Context) (int, error) {
	if !e.migrated {
		return 0, errors.New("no such table: plans")
	}
	return 0, nil
}

type fakeEngines struct {
	work, migrations *fakeEngine
	err              error
	created          int
}

func (f fakeEngines) ForUnitOfWork(context.Context) (races.Engine, error) { return f.work, f.err }
func (f fakeEngines) ForMigrations(context.Context) (races.Engine, error) { return f.migrations, nil }
func (f fakeEngines) Created() int                                        { return f.created }
func (f fakeEngines) Close() error                                        { return nil }

func TestEnginesBody(t *testing.T) {
	one, two := &fakeEngine{number: 1}, &fakeEngine{number: 2}
	for want, subject := range map[string]fakeEngines{
		"": {work: one, migrations: one, created: 1},
		"two engines for sqlite:///:memory:: unit of work got #1, migration runner got #2; it makes the schema: no error; unit of work counts plans: no such table: plans": {work: one, migrations: two, created: 2},
		"both callers got engine #1 for sqlite:///:memory:, but 2 were made":                                                                                               {work: one, migrations: one, created: 2},
		"unit of work: got error disk full; migration runner: got error <nil>":                                                                                             {work: one, migrations: one, err: errDisk},
	} {
		judge(t, want, func(t races.T) error { return races.EnginesBody(t, subject) })
	}
}

// fakeActions answers calls of Create from a list of errors.
type fakeActions struct {
	errs        []error
	description string
}

func (f *fakeActions) Create(context.Context, lifecycle.ActionSpec) error {
	err := f.errs[0]
	f.errs = f.errs[1:]
	return err
}
func (f *fakeActions) Description(context.Context, string) (string, error) { return f.description, nil }
func (f *fakeActions) Close() error                                        { return nil }

func TestActionsBody(t *testing.T) {
	taken := &lifecycle.AlreadyExistsError{Kind: lifecycle.KindAction, ID: "local/review"}
	for want, subject := range map[string]*fakeActions{
		"": {errs: []error{taken, nil}, description: "creator B"},
		"both creates of local/review succeeded and one action is lost: the service has creator B's": {errs: []error{nil, nil}, description: "creator B"},
		"no create of local/review succeeded: creator A got":                                         {errs: []error{taken, taken}},
		`creator B got disk full, want an "already exists" error`:                                    {errs: []error{nil, errDisk}, description: "creator A"},
		`creator A created local/review and the service has "creator B"`:                             {errs: []error{nil, taken}, description: "creator B"},
	} {
		judge(t, want, func(t races.T) error { return races.ActionsBody(t, subject) })
	}
}

// fakePlans creates the plans p1, p2 and p3, in the order in which a sequential body asks for them: two for creator A, then one for
// creator B. Listing number n omits the plan hide[n], or also has it if it begins with a plus sign. All listings and Get omit
// hide[0].
type fakePlans struct {
	made     []string
	listings int
	hide     map[int]string
}

func (f *fakePlans) First() string { return "p0" }
func (f *fakePlans) Use(context.Context) (string, error) {
	id := []string{"p1", "p2", "p3"}[len(f.made)]
	f.made = append(f.made, id)
	return id, nil
}
func (f *fakePlans) Get(_ context.Context, id string) error {
	if f.hide[0] == id {
		return &lifecycle.NotFoundError{Kind: lifecycle.KindPlan, ID: id}
	}
	return nil
}
func (f *fakePlans) List(context.Context) ([]string, error) {
	f.listings++
	all := append([]string{"p0"}, f.made...)
	if more, ok := strings.CutPrefix(f.hide[f.listings], "+"); ok {
		return append([]string{more}, all...), nil
	}
	return slices.DeleteFunc(all, func(id string) bool { return f.hide[f.listings] == id || f.hide[0] == id }), nil
}
func (f *fakePlans) Close() error { return nil }

func TestPlansBody(t *testing.T) {
	const own, final = 1, 2
	for want, hide := range map[string]map[int]string{
		"": nil,
		"plan p3 is missing from a listing that its creator began afterwards: [p0 p1 p2]":                         {own: "p3"},
		"plan p0 was there from the start and is missing from a listing: [p1 p2 p3]":                              {own: "p0"},
		"torn listing: it has plan p2 and not plan p1, which was there before: [p0 p2 p3]":                        {own: "p1"},
		"the plans [p0 p1 p2 p3] were returned to their creators, and the listing after that is [p0 p1 p3]":       {final: "p2"},
		"the plans [p0 p1 p2 p3] were returned to their creators, and the listing after that is [p0 p0 p1 p2 p3]": {final: "+p0"},
		"plan ghost is in a listing and was never made: [ghost p0 p1 p2 p3]":                                      {own: "+ghost"},
	} {
		judge(t, want, func(t races.T) error { return races.PlansBody(t, &fakePlans{hide: hide}) })
	}
	s := &testrun.Sequential{Host: t}
	lost := func(t races.T) error { return races.PlansBody(t, &fakePlans{hide: map[int]string{0: "p2"}}) }
	if err := s.Run(lost); err != nil || !strings.Contains(strings.Join(s.Failures, "\n"), "plan p2 was returned to its creator and is lost") {
		t.Errorf("a lost plan: got %v, %q, want that it is lost", err, s.Failures)
	}
}

// fakeChangesets starts c2 beside c1 and shows the change in each changeset of into.
type fakeChangesets struct {
	into                           []string
	early                          bool // the store lists c2 from the start
	startErr, recordErr, finishErr error
	started, recorded              bool
}

func (f *fakeChangesets) First() string { return "c1" }
func (f *fakeChangesets) Start(context.Context) (string, error) {
	f.started = true
	return "c2", f.startErr
}
func (f *fakeChangesets) Record(context.Context, string) error {
	f.recorded = true
	return f.recordErr
}
func (f *fakeChangesets) Finish(context.Context, string) error { return f.finishErr }
func (f *fakeChangesets) List(context.Context) ([]lifecycle.Changeset, error) {
	list := []lifecycle.Changeset{{ID: "c1"}}
	if f.started || f.early {
		list = append(list, lifecycle.Changeset{ID: "c2"})
	}
	for i := range list {
		if f.recorded && slices.Contains(f.into, list[i].ID) {
			list[i].Entries = []lifecycle.Entry{{Path: "loom/weft.go"}}
		}
	}
	return list, nil
}
func (f *fakeChangesets) Close() error { return nil }

func TestStaleChangesetBody(t *testing.T) {
	for want, subject := range map[string]*fakeChangesets{
		"": {into: []string{"c2"}},
		"the change landed in changeset c1 after the start of c2 had returned": {into: []string{"c1"}},
		`one change was recorded and it is in []`:                              {},
		`one change was recorded and it is in ["c1" "c2"]`:                     {into: []string{"c1", "c2"}},
		"creator: got error disk full; recorder: got error <nil>":              {startErr: errDisk},
		"creator: got error <nil>; recorder: got error disk full":              {recordErr: errDisk},
	} {
		judge(t, want, func(t races.T) error { return races.StaleChangesetBody(t, subject) })
	}
	s := &testrun.Sequential{Host: t, Reverse: true}
	err := s.Run(func(t races.T) error {
		return races.StaleChangesetBody(t, &fakeChangesets{into: []string{"c1"}, early: true})
	})
	if err != nil || len(s.Failures) != 1 || !strings.Contains(s.Failures[0], "although the store listed c2 before it was recorded") {
		t.Errorf("a listed changeset: got %v, %q, want one failure about the listing", err, s.Failures)
	}
}

func TestEmptyChangesetsBody(t *testing.T) {
	none := lifecycle.ErrNoActiveChangeset
	for want, subject := range map[string]*fakeChangesets{
		"": {recordErr: none},
		"finisher: got error disk full, want none":                          {into: []string{"c1"}, finishErr: errDisk},
		`the change was recorded and it is in [], want c1`:                  {},
		`recorder: got error disk full, want none or "no active changeset"`: {recordErr: errDisk},
		`the change was refused (no active changeset) and it is in ["c1"]`:  {recordErr: none, into: []string{"c1"}},
	} {
		judge(t, want, func(t races.T) error { return races.EmptyChangesetsBody(t, subject) })
	}
	judge(t, "", func(t races.T) error { return races.EmptyChangesetsBody(t, &fakeChangesets{into: []string{"c1"}}) })
}

// fakeShared is the plan of both instances. They read the positions in seen, one after the other.
type fakeShared struct {
	seen           []lifecycle.Position
	startErr       error
	applyA, applyB error
	moves          int
	positionA      error
}

func (f *fakeShared) A() races.Instance                  { return fakeInstance{f, f.applyA} }
func (f *fakeShared) B() races.Instance                  { return fakeInstance{f, f.applyB} }
func (f *fakeShared) Moves(context.Context) (int, error) { return f.moves, nil }
func (f *fakeShared) Close() error                       { return nil }

type fakeInstance struct {
	*fakeShared
	apply error
}

func (i fakeInstance) Position(context.Context) (lifecycle.Position, error) {
	if len(i.seen) == 0 {
		return lifecycle.Position{}, i.positionA
	}
	p := i.seen[0]
	i.fakeShared.seen = i.seen[1:]
	return p, nil
}
func (i fakeInstance) Start(context.Context) error { return i.startErr }
func (i fakeInstance) Apply(context.Context) error { return i.apply }

func TestStaleReadBody(t *testing.T) {
	queued := lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateQueued}
	processing := lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateProcessing}
	applied := lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateApplied}
	for want, subject := range map[string]*fakeShared{
		"": {seen: []lifecycle.Position{queued, processing}},
		"instance A's commit of strategize/processing had returned, and instance B read strategize/queued": {seen: []lifecycle.Position{processing, queued}},
		"instance B read apply/applied, where the plan never was":                                          {seen: []lifecycle.Position{applied, processing}},
		"instance A got error disk full":                                                                   {seen: []lifecycle.Position{queued, processing}, startErr: errDisk},
	} {
		judge(t, want, func(t races.T) error { return races.StaleReadBody(t, subject) })
	}
}

func TestDoubleApplyBody(t *testing.T) {
	applying := lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateQueued}
	conflict := &lifecycle.ConflictError{Current: applying}
	for want, subject := range map[string]*fakeShared{
		"": {applyA: conflict, moves: 1},
		"the plan was applied twice: both instances moved it from execute/complete to apply/queued; moves in the database: 2": {moves: 2},
		"the plan was not applied: instance A got":                               {applyA: conflict, applyB: conflict},
		"the loser got disk full, want an error that names the state it lost to": {applyB: errDisk, moves: 1},
		"one instance applied the plan; moves in the database: 2":                {applyA: &lifecycle.InvalidTransitionError{Current: applying}, moves: 2},
	} {
		judge(t, want, func(t races.T) error { return races.DoubleApplyBody(t, subject) })
	}
	s := &testrun.Sequential{Host: t}
	err := s.Run(func(t races.T) error { return races.DoubleApplyBody(t, &fakeShared{positionA: errDisk}) })
	if !errors.Is(err, errDisk) || len(s.Failures) > 0 {
		t.Errorf("a failed set-up: got error %v and failures %q, want %v and none", err, s.Failures, errDisk)
	}
}
