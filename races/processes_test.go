package races_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/internal/testrun"
)

// R6 and R7 of ours with real processes. The bodies are the same. Each of the two instances is a process of this test binary, and
// both share a SQLite file.

// rounds is the number of plans in each test.
const rounds = 25

func TestStaleReadBetweenProcesses(t *testing.T) {
	file := newSharedFile(t)
	for range rounds {
		id := file.plan(t)
		runPlain(t, func(t races.T) error { return races.StaleReadBody(t, file.about(id)) })
		if got := file.get(t, id); got.Version != 2 || got.State != lifecycle.StateProcessing {
			t.Errorf("plan %s: got version %d at %s, want 2 at strategize/processing", id, got.Version, got.Position())
		}
	}
}

func TestDoubleApplyBetweenProcesses(t *testing.T) {
	file := newSharedFile(t)
	for range rounds {
		id := file.executed(t)
		runPlain(t, func(t races.T) error { return races.DoubleApplyBody(t, file.about(id)) })
		if got := file.get(t, id); got.Version != 7 || got.Phase != lifecycle.PhaseApply {
			t.Errorf("plan %s: got version %d at %s, want 7 at apply/queued", id, got.Version, got.Position())
		}
	}
}

// Both processes apply every plan as fast as they can, without synchronization between them.
func TestManyApplicationsBetweenProcesses(t *testing.T) {
	file := newSharedFile(t)
	var ids []string
	for range rounds {
		ids = append(ids, file.executed(t))
	}
	replies := make(chan reply)
	for _, p := range []*process{file.a, file.b} {
		go func() { replies <- p.ask(t, request{Do: "apply all", Plans: ids}) }()
	}
	first, second := <-replies, <-replies
	if first.Failure != "" || second.Failure != "" {
		t.Fatalf("got failures %q and %q, want none", first.Failure, second.Failure)
	}
	if first.Won+second.Won != rounds || first.Refused+second.Refused != rounds {
		t.Errorf("got %d and %d won, %d and %d refused; want %d of each in all", first.Won, second.Won, first.Refused, second.Refused, rounds)
	}
	for _, id := range ids {
		if got := file.get(t, id); got.Version != 7 || got.Phase != lifecycle.PhaseApply {
			t.Errorf("plan %s: got version %d at %s, want 7 at apply/queued", id, got.Version, got.Position())
		}
	}
}

// runPlain runs a body once and reports its failures.
func runPlain(t *testing.T, body races.Body) {
	t.Helper()
	p := &testrun.Plain{Host: t}
	if err := p.Run(body); err != nil {
		t.Fatalf("set-up failed: %v", err)
	}
	for _, failure := range p.Failures {
		t.Error(failure)
	}
}

// sharedFile is a SQLite file with a service of this process, which creates and reads plans, and two racing processes.
type sharedFile struct {
	service *lifecycle.Service
	a, b    *process
}

func newSharedFile(t *testing.T) *sharedFile {
	t.Helper()
	url := "sqlite:///" + filepath.Join(t.TempDir(), "plans.db")
	service, err := lifecycle.Open(t.Context(), lifecycle.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := service.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	spec := lifecycle.ActionSpec{
		Name: "review", Description: "a review", DefinitionOfDone: "it is reviewed", Reusable: true,
		Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
	}
	if _, err := service.CreateAction(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	return &sharedFile{service: service, a: startProcess(t, url), b: startProcess(t, url)}
}

// plan creates a plan at strategize/queued.
func (f *sharedFile) plan(t *testing.T) string {
	t.Helper()
	plan, err := f.service.UseAction(t.Context(), "review", lifecycle.UseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return plan.ID
}

// executed creates a plan and moves it to execute/complete, which is its version 6.
func (f *sharedFile) executed(t *testing.T) string {
	t.Helper()
	id := f.plan(t)
	lead(t, f.service, id, toExecuted())
	return id
}

func (f *sharedFile) get(t *testing.T, id string) lifecycle.Plan {
	t.Helper()
	plan, err := f.service.GetPlan(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// about returns the subject of R6 and R7 for one plan.
func (f *sharedFile) about(id string) races.Shared { return &sharedPlan{file: f, id: id} }

type sharedPlan struct {
	file *sharedFile
	id   string
}

func (s *sharedPlan) A() races.Instance { return remote{s.file.a, s.id} }
func (s *sharedPlan) B() races.Instance { return remote{s.file.b, s.id} }

func (s *sharedPlan) Moves(ctx context.Context) (int, error) {
	plan, err := s.file.service.GetPlan(ctx, s.id)
	return int(plan.Version) - 6, err
}

func (s *sharedPlan) Close() error { return nil }

// remote is an instance in another process.
type remote struct {
	process *process
	id      string
}

func (r remote) Position(ctx context.Context) (lifecycle.Position, error) {
	answer := r.process.tell(ctx, request{Do: "read", Plans: []string{r.id}})
	return answer.Position, answer.err()
}

func (r remote) Start(ctx context.Context) error {
	return r.process.tell(ctx, request{Do: "start", Plans: []string{r.id}}).err()
}

func (r remote) Apply(ctx context.Context) error {
	return r.process.tell(ctx, request{Do: "apply", Plans: []string{r.id}}).err()
}

// err returns the error that the other process had.
func (r reply) err() error {
	switch {
	case r.Refused > 0:
		return fmt.Errorf("%w", &lifecycle.ConflictError{Current: r.Position})
	case r.Failure != "":
		return errors.New(r.Failure)
	default:
		return nil
	}
}
