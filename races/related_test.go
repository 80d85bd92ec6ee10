package races_test

import (
	"context"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/internal/testrun"
)

// These tests run the bodies of the related races on correct and on faulty subjects.

type fakeMigrations struct {
	errA, errB, missing error
	migrated            int
}

func (f fakeMigrations) A() races.Migrator                     { return fakeMigrator{f.errA} }
func (f fakeMigrations) B() races.Migrator                     { return fakeMigrator{f.errB} }
func (f fakeMigrations) Migrated(context.Context) (int, error) { return f.migrated, f.missing }
func (f fakeMigrations) Close() error                          { return nil }

type fakeMigrator struct{ err error }

func (f fakeMigrator) Migrate(context.Context) error { return f.err }

func TestMigrationsBody(t *testing.T) {
	for want, subject := range map[string]fakeMigrations{
		"": {migrated: 1},
		"unit of work A: got error <nil>; unit of work B: got error disk full": {errB: errDisk, migrated: 1},
		"the migrations ran 2 times on one engine, want 1":                     {migrated: 2},
		"the migrations ran 0 times on one engine, want 1":                     {},
		"and the schema is not there: disk full":                               {migrated: 1, missing: errDisk},
	} {
		judge(t, want, func(t races.T) error { return races.MigrationsBody(t, subject) })
	}
}

type fakeRefused struct{ got, listed lifecycle.Position }

func (f fakeRefused) Start(context.Context) error { return errDisk }
func (f fakeRefused) Close() error                { return nil }

func (f fakeRefused) Position(context.Context) (lifecycle.Position, error) { return f.got, nil }
func (f fakeRefused) Listed(context.Context) (lifecycle.Position, error)   { return f.listed, nil }

var (
	stillQueued   = lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateQueued}
	notCommitted  = lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateProcessing}
	workErrored   = lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateErrored}
	workComplete  = lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateComplete}
	atWork        = lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateProcessing}
	workElsewhere = lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateQueued}
)

func TestFailedCommitBody(t *testing.T) {
	for want, subject := range map[string]fakeRefused{
		"": {stillQueued, stillQueued},
		"a listing shows the plan at strategize/queued, a get at strategize/processing; want strategize/queued": {notCommitted, stillQueued},
		"a listing shows the plan at strategize/processing, a get at strategize/queued; want strategize/queued": {stillQueued, notCommitted},
	} {
		judge(t, want, func(t races.T) error { return races.FailedCommitBody(t, subject) })
	}
}

// fakeWorkers lets the first caller work and answers the others from a list. After its end they work too.
type fakeWorkers struct {
	answers   []error
	idle      bool // the first caller does not work either
	resume    error
	positions []lifecycle.Position
	came      int
}

func (f *fakeWorkers) A() races.Worker              { return f }
func (f *fakeWorkers) B() races.Worker              { return f }
func (f *fakeWorkers) Close() error                 { return nil }
func (f *fakeWorkers) Resume(context.Context) error { return f.resume }

func (f *fakeWorkers) Execute(_ context.Context, work func() error) error {
	f.came++
	if i := f.came - 2; i >= 0 && i < len(f.answers) {
		return f.answers[i]
	}
	if f.came > 1 || !f.idle {
		_ = work()
	}
	return nil
}

func (f *fakeWorkers) Position(context.Context) (lifecycle.Position, error) {
	p := f.positions[0]
	f.positions = f.positions[1:]
	return p, nil
}

func TestClaimsBody(t *testing.T) {
	taken := &lifecycle.ConflictError{Current: atWork}
	early := &lifecycle.NotReadyError{Current: workErrored}
	way := []lifecycle.Position{workErrored, workComplete}
	for want, subject := range map[string]*fakeWorkers{
		"":                                      {answers: []error{taken}, positions: way},
		"both workers did the work of one plan": {},
		"no worker did the work of the plan":    {idle: true, answers: []error{taken}},
		"the worker that did not work got disk full, want an error that names a state":    {answers: []error{errDisk}},
		"the worker that did not work got lifecycle: ":                                    {answers: []error{&lifecycle.ConflictError{Current: workElsewhere}}},
		"the work failed, and the plan is at execute/processing":                          {answers: []error{early}, positions: []lifecycle.Position{atWork}},
		"resume after a failure: got disk full":                                           {answers: []error{early}, positions: way, resume: errDisk},
		"execute again after a failure: worked: false":                                    {answers: []error{early, taken}, positions: way},
		"the work was done, and the plan is at execute/errored, <nil>; want execute/comp": {answers: []error{taken}, positions: []lifecycle.Position{workErrored, workErrored}},
	} {
		judge(t, want, func(t races.T) error { return races.ClaimsBody(t, subject) })
	}
}

// fakeRecorders starts c1. Instance A lists a, and instance B lists b.
type fakeRecorders struct {
	a, b                []lifecycle.Changeset
	startErr, recordErr error
}

func (f fakeRecorders) A() races.Recorder { return fakeRecorder{f, f.a} }
func (f fakeRecorders) B() races.Recorder { return fakeRecorder{f, f.b} }
func (f fakeRecorders) Close() error      { return nil }

type fakeRecorder struct {
	fakeRecorders
	list []lifecycle.Changeset
}

func (f fakeRecorder) Start(context.Context) (string, error) { return "c1", f.startErr }
func (f fakeRecorder) Record(context.Context, string) error  { return f.recordErr }
func (f fakeRecorder) List(context.Context) ([]lifecycle.Changeset, error) {
	return f.list, nil
}

func TestChangesetPlanBody(t *testing.T) {
	change := []lifecycle.Entry{{Path: "loom/weft.go"}}
	c1, in1, in2 := []lifecycle.Changeset{{ID: "c1"}}, []lifecycle.Changeset{{ID: "c1", Entries: change}}, []lifecycle.Changeset{{ID: "c2", Entries: change}}
	for want, subject := range map[string]fakeRecorders{
		"": {a: in1, b: c1},
		"instance A got error disk full, want none":                                                       {a: in1, b: c1, startErr: errDisk},
		"instance B knows of 0 changesets of the plan; it records: no error":                              {a: in1},
		"instance B recorded a change after the start of c1 had returned: got error disk full, want none": {a: in1, b: c1, recordErr: errDisk},
		`instance B recorded a change, and to instance A it is in ["c2"], want c1`:                        {a: in2, b: c1},
		`instance B recorded a change, and to instance A it is in [], want c1`:                            {a: c1, b: c1},
	} {
		judge(t, want, func(t races.T) error { return races.ChangesetPlanBody(t, subject) })
	}
}

// fakeFiles returns the numbers in counts, one after the other.
type fakeFiles struct {
	err    error
	counts []int
}

func (f *fakeFiles) A() races.File                { return f }
func (f *fakeFiles) B() races.File                { return f }
func (f *fakeFiles) Close() error                 { return nil }
func (f *fakeFiles) Insert(context.Context) error { return f.err }
func (f *fakeFiles) Count(context.Context) (int, error) {
	n := f.counts[0]
	f.counts = f.counts[1:]
	return n, nil
}

func TestLockedFileBody(t *testing.T) {
	for want, subject := range map[string]*fakeFiles{
		"":                                      {counts: []int{1, 2}},
		"engine A: writing got error disk full": {counts: []int{1, 2}, err: errDisk},
		"two plans were inserted, and 1 are counted, <nil>":                 {counts: []int{0, 1}},
		"engine B counted 2 plans before its own was inserted, want 0 or 1": {counts: []int{2, 2}},
	} {
		judge(t, want, func(t races.T) error { return races.LockedFileBody(t, subject) })
	}
}

// committing makes the commit that it should refuse.
type committing struct{ fakeRefused }

func (committing) Start(context.Context) error { return nil }

func TestACommitThatIsNotRefused(t *testing.T) {
	s := &testrun.Sequential{Host: t}
	err := s.Run(func(t races.T) error { return races.FailedCommitBody(t, committing{}) })
	if err == nil || len(s.Failures) > 0 {
		t.Errorf("got error %v and failures %q, want an error of the set-up and no failure", err, s.Failures)
	}
}
