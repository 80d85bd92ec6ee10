package lifecycle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

func ExampleService() {
	ctx := context.Background()
	service, err := lifecycle.Open(ctx, lifecycle.Config{
		URL:   "sqlite:///:memory:",
		Clock: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
		OnChange: func(e lifecycle.Event) {
			fmt.Printf("%s: %s → %s\n", e.Command, e.From, e.Plan.Position())
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer service.Close()

	_, err = service.CreateAction(ctx, lifecycle.ActionSpec{
		Name:     "tools/greet",
		Actors:   lifecycle.Actors{Strategy: "planner", Execution: "writer"},
		Reusable: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := service.UseAction(ctx, "tools/greet", lifecycle.UseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, command := range []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan,
		lifecycle.CommandStartExecute,
	} {
		if _, err := service.Transition(ctx, lifecycle.Request{PlanID: plan.ID, Command: command}); err != nil {
			fmt.Println(err)
			return
		}
	}

	execution := service.ExecutionContext(plan.ID)
	changeset, _ := execution.StartChangeset(ctx)
	_, _ = execution.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationCreate, Path: "hello.txt", AfterHash: "5d41"})
	_ = execution.FinishChangeset(ctx, changeset)

	_, _ = service.CompleteExecute(ctx, plan.ID)
	_, _ = service.ApplyPlan(ctx, plan.ID)
	_, err = service.ApplyPlan(ctx, plan.ID)
	fmt.Println(strings.ReplaceAll(err.Error(), plan.ID, "…"))
	_, _ = service.StartApply(ctx, plan.ID)
	_, _ = service.CompleteApply(ctx, plan.ID)

	changesets, _ := execution.Changesets(ctx)
	fmt.Println(changesets[0].Entries[0].Operation, changesets[0].Entries[0].Path)
	// Output:
	// use_action: action/available → strategize/queued
	// start_strategize: strategize/queued → strategize/processing
	// complete_strategize: strategize/processing → strategize/complete
	// execute_plan: strategize/complete → execute/queued
	// start_execute: execute/queued → execute/processing
	// complete_execute: execute/processing → execute/complete
	// apply_plan: execute/complete → apply/queued
	// lifecycle: plan …: apply_plan: invalid transition from apply/queued to apply/queued
	// start_apply: apply/queued → apply/processing
	// complete_apply: apply/processing → apply/applied
	// create hello.txt
}

func ExampleService_Transition_conflict() {
	ctx := context.Background()
	service, _ := lifecycle.Open(ctx, lifecycle.Config{})
	defer service.Close()
	_, _ = service.CreateAction(ctx, lifecycle.ActionSpec{
		Name: "greet", Actors: lifecycle.Actors{Strategy: "planner", Execution: "writer"},
	})
	plan, _ := service.UseAction(ctx, "greet", lifecycle.UseOptions{})

	_, _ = service.StartStrategize(ctx, plan.ID) // another caller was faster
	_, err := service.Transition(ctx, lifecycle.Request{
		PlanID: plan.ID, Command: lifecycle.CommandStartStrategize, IfVersion: plan.Version,
	})
	var conflict *lifecycle.ConflictError
	if errors.As(err, &conflict) {
		fmt.Println("lost to", conflict.Current, "version", conflict.CurrentVersion)
	}
	// Output:
	// lost to strategize/processing version 2
}

// calls returns all methods of a service, with arguments that succeed.
func calls(s *lifecycle.Service, p lifecycle.Plan, changeset string) map[string]func(context.Context) error {
	only := func(_ any, err error) error { return err }
	execution := s.ExecutionContext(p.ID)
	return map[string]func(context.Context) error{
		"create action":  func(ctx context.Context) error { return only(s.CreateAction(ctx, spec("other"))) },
		"get action":     func(ctx context.Context) error { return only(s.GetAction(ctx, "build")) },
		"list actions":   func(ctx context.Context) error { return only(s.ListActions(ctx)) },
		"archive action": func(ctx context.Context) error { return only(s.ArchiveAction(ctx, "build")) },
		"delete action":  func(ctx context.Context) error { return s.DeleteAction(ctx, "spare") },
		"use action": func(ctx context.Context) error {
			return only(s.UseAction(ctx, "build", lifecycle.UseOptions{ParentID: p.ID}))
		},
		"get plan":   func(ctx context.Context) error { return only(s.GetPlan(ctx, p.ID)) },
		"list plans": func(ctx context.Context) error { return only(s.ListPlans(ctx)) },
		"find plans": func(ctx context.Context) error { return only(s.FindPlans(ctx, lifecycle.PlanFilter{Limit: 1})) },
		"add error details": func(ctx context.Context) error {
			return only(s.AddErrorDetails(ctx, lifecycle.Note{PlanID: p.ID, Details: map[string]string{"a": "b"}}))
		},
		"archive plan": func(ctx context.Context) error {
			finished, err := s.FindPlans(ctx, lifecycle.PlanFilter{State: lifecycle.StateCancelled, Archived: true})
			if err != nil || len(finished) == 0 {
				return errors.Join(err, only(s.ArchivePlan(ctx, p.ID)))
			}
			return only(s.ArchivePlan(ctx, finished[0].ID))
		},
		"delete plan":      func(ctx context.Context) error { return s.DeletePlan(ctx, p.ID, 0) },
		"transition":       func(ctx context.Context) error { return only(s.StartStrategize(ctx, p.ID)) },
		"start changeset":  func(ctx context.Context) error { return only(execution.StartChangeset(ctx)) },
		"record change":    func(ctx context.Context) error { return only(execution.RecordChange(ctx, entry("a"))) },
		"finish changeset": func(ctx context.Context) error { return execution.FinishChangeset(ctx, changeset) },
		"list changesets":  func(ctx context.Context) error { return only(execution.Changesets(ctx)) },
		"last event":       func(ctx context.Context) error { return only(s.LastEvent(ctx)) },
		"prune events":     func(ctx context.Context) error { return only(s.PruneEvents(ctx, time.Now().Add(-time.Hour))) },
		"events": func(ctx context.Context) error {
			for _, err := range s.Events(ctx, 0) {
				return err
			}
			return nil
		},
	}
}

// populated makes a plan with an open changeset that has an entry.
func populated(t *testing.T, s *lifecycle.Service) (p lifecycle.Plan, changeset string) {
	t.Helper()
	ctx := context.Background()
	p = newPlan(t, s)
	changeset, err := s.ExecutionContext(p.ID).StartChangeset(ctx)
	check(t, err)
	_, err = s.ExecutionContext(p.ID).RecordChange(ctx, entry("first"))
	check(t, err)
	return p, changeset
}

// state returns everything that a service stores, as text.
func state(t *testing.T, s *lifecycle.Service) string {
	t.Helper()
	text, err := tryState(context.Background(), s)
	check(t, err)
	return text
}

// tryState is state for a service that may fail.
func tryState(ctx context.Context, s *lifecycle.Service) (string, error) {
	var text strings.Builder
	actions, err1 := s.ListActions(ctx)
	plans, err2 := s.ListPlans(ctx)
	events, err3 := s.LastEvent(ctx)
	fmt.Fprintf(&text, "%+v\n%+v\n%d events\n", actions, plans, events)
	errs := []error{err1, err2, err3}
	for _, p := range plans {
		changesets, err := s.ExecutionContext(p.ID).Changesets(ctx)
		fmt.Fprintf(&text, "%+v\n", changesets)
		errs = append(errs, err)
	}
	return text.String(), errors.Join(errs...)
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, changeset := populated(t, s)
		before := state(t, s)
		for name, call := range calls(s, p, changeset) {
			if err := call(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: got %v, want context.Canceled", name, err)
			}
		}
		if after := state(t, s); after != before {
			t.Errorf("got %s\nwant it unchanged: %s", after, before)
		}
	})
}

func TestClosedService(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, changeset := populated(t, s)
		all := calls(s, p, changeset)
		check(t, s.Close())
		for name, call := range all {
			if err := call(context.Background()); !errors.Is(err, lifecycle.ErrClosed) {
				t.Errorf("%s: got %v, want ErrClosed", name, err)
			}
		}
		if err := s.Close(); !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	})
}

// What was acknowledged is there after a service is closed and opened again.
func TestReopen(t *testing.T) {
	url := storetest.FileURL(t)
	s, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url})
	check(t, err)
	populated(t, s)
	planAt(t, s, executeErrored)
	before := state(t, s)
	check(t, s.Close())
	if after := state(t, open(t, lifecycle.Config{URL: url})); after != before {
		t.Errorf("got %s\nwant %s", after, before)
	}
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := lifecycle.Open(ctx, lifecycle.Config{URL: storetest.FileURL(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestLog(t *testing.T) {
	ctx := context.Background()
	var log bytes.Buffer
	s := open(t, lifecycle.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	p := newPlan(t, s)
	_, err := s.StartStrategize(ctx, p.ID)
	check(t, err)
	_, err = s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandCancel, IfVersion: 1})
	if !errors.Is(err, lifecycle.ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
	for _, want := range []string{
		`msg="action created" action=local/build`,
		`msg="plan changed" plan=` + p.ID + ` command=start_strategize from=strategize/queued to=strategize/processing version=2`,
		`msg="plan transition lost" plan=` + p.ID + ` command=cancel held=1 current=2 at=strategize/processing`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("got %s\nwant a line with %s", log.String(), want)
		}
	}
}

// Every error says what it is about, in one line.
func TestErrorTexts(t *testing.T) {
	name, err := lifecycle.ParseName("a/b")
	check(t, err)
	tests := map[string]error{
		`lifecycle: field: "x" is bad`:                       &lifecycle.InvalidError{Field: "field", Value: "x", Reason: "is bad"},
		`lifecycle: action "a/b" not found`:                  &lifecycle.NotFoundError{Kind: lifecycle.KindAction, ID: "a/b"},
		`lifecycle: plan "p" already exists`:                 &lifecycle.AlreadyExistsError{Kind: lifecycle.KindPlan, ID: "p"},
		`lifecycle: action "a/b" is archived (used 2 times)`: &lifecycle.ArchivedError{Name: name, Uses: 2},
		`lifecycle: plan p: cancel: not ready: is execute/complete, want state queued or errored`: &lifecycle.NotReadyError{
			PlanID: "p", Command: "cancel", Current: executeComplete, Want: []lifecycle.State{"queued", "errored"}},
		`lifecycle: plan p: apply_plan: conflict: held execute/complete version 7, lost to apply/queued version 8`: &lifecycle.ConflictError{
			PlanID: "p", Command: "apply_plan", Held: executeComplete, HeldVersion: 7, Current: applyQueued, CurrentVersion: 8},
		`lifecycle: plan p: apply_plan: conflict: held version 7, lost to apply/queued version 8`: &lifecycle.ConflictError{
			PlanID: "p", Command: "apply_plan", HeldVersion: 7, Current: applyQueued, CurrentVersion: 8},
	}
	for want, err := range tests {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err.Error(), want)
		}
	}
	_, err = lifecycle.ParseName(strings.Repeat("ä", 100))
	if got := err.Error(); len(got) > 200 || !strings.Contains(got, "…") {
		t.Errorf("got %q, want a long value shortened", got)
	}
}
