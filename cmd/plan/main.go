// Command plan leads one plan from its action to applied and prints each step:
//
//	go run ./cmd/plan sqlite:///plans.db
//	go run ./cmd/plan postgres://user@host/database
//
// Without an argument the plan lives in memory. It can be run any number of
// times on one database; the last line says how many plans there are.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "plan:", err)
		os.Exit(1)
	}
}

// run leads a plan and prints what becomes of it.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	if len(args) > 1 {
		return fmt.Errorf("got %d arguments, want the URL of a database, or none", len(args))
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	cfg := lifecycle.Config{OnChange: func(e lifecycle.Event) {
		fmt.Fprintf(table, "%s\t%s\t→ %s\tversion %d\n", e.Command, e.From, e.Plan.Position(), e.Plan.Version)
	}}
	if len(args) == 1 {
		cfg.URL = args[0]
	}
	service, err := lifecycle.Open(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	id, err := lead(ctx, service)
	if err != nil {
		return err
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return tell(ctx, service, id, out)
}

// action is what plans are made from.
var action = lifecycle.ActionSpec{
	Name:             "demo/greet",
	DefinitionOfDone: "hello.txt greets whoever it is for",
	Actors:           lifecycle.Actors{Strategy: "planner", Execution: "writer"},
	Arguments:        []lifecycle.Argument{{Name: "whom", Required: true}},
	Reusable:         true,
}

// lead makes a plan and leads it to applied.
func lead(ctx context.Context, s *lifecycle.Service) (id string, err error) {
	if _, err := s.CreateAction(ctx, action); err != nil && !errors.Is(err, lifecycle.ErrAlreadyExists) {
		return "", err
	}
	p, err := s.UseAction(ctx, action.Name, lifecycle.UseOptions{Arguments: map[string]string{"whom": "world"}})
	if err != nil {
		return "", err
	}
	for _, command := range []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize,
		lifecycle.CommandExecutePlan, lifecycle.CommandStartExecute,
	} {
		if _, err := s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: command}); err != nil {
			return "", err
		}
	}
	if err := record(ctx, s.ExecutionContext(p.ID)); err != nil {
		return "", err
	}
	for _, command := range []lifecycle.Command{
		lifecycle.CommandCompleteExecute,
		lifecycle.CommandApplyPlan, lifecycle.CommandStartApply, lifecycle.CommandCompleteApply,
	} {
		if _, err := s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: command}); err != nil {
			return "", err
		}
	}
	return p.ID, nil
}

// record writes down what the execution has changed.
func record(ctx context.Context, execution *lifecycle.ExecutionContext) error {
	changeset, err := execution.StartChangeset(ctx)
	if err != nil {
		return err
	}
	_, err = execution.RecordChange(ctx, lifecycle.Entry{
		Operation: lifecycle.OperationCreate, Path: "hello.txt", AfterHash: "sha256:64ec88ca00b268e5",
	})
	return errors.Join(err, execution.FinishChangeset(ctx, changeset))
}

// tell prints what is stored now.
func tell(ctx context.Context, s *lifecycle.Service, id string, out io.Writer) error {
	changesets, err := s.ExecutionContext(id).Changesets(ctx)
	if err != nil {
		return err
	}
	for _, c := range changesets {
		for _, e := range c.Entries {
			fmt.Fprintf(out, "changed: %s %s\n", e.Operation, e.Path)
		}
	}
	plans, err := s.ListPlans(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "plans: %d, the newest is %s\n", len(plans), plans[len(plans)-1].Position())
	return err
}
