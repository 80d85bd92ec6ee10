package subplans_test

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// A plan has three subplans. The last one needs the other two.
func ExampleRun() {
	ctx := context.Background()
	service, err := lifecycle.Open(ctx, lifecycle.Config{URL: "sqlite:///:memory:"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer service.Close()
	for _, name := range []string{"mill/cloth", "mill/spin", "mill/dye", "mill/weave"} {
		_, err := service.CreateAction(ctx, lifecycle.ActionSpec{
			Name: name, Actors: lifecycle.Actors{Strategy: "master", Execution: "worker"}, Reusable: true,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	plan, _ := service.UseAction(ctx, "mill/cloth", lifecycle.UseOptions{})
	claim, _ := service.Claim(ctx, plan.ID, "the master", time.Minute)
	for _, command := range []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan, lifecycle.CommandStartExecute,
	} {
		_, _ = service.Transition(ctx, claim.Request(command))
	}

	// Each change of a subplan becomes a change of the plan.
	changes := service.ExecutionContext(plan.ID).Under(claim)
	_, _ = changes.StartChangeset(ctx)
	results, err := subplans.Run(ctx, subplans.Config{
		Service: service, Parent: claim, Mode: subplans.ByDependencies,
		FailFast: true, Timeout: time.Minute, Retries: 1,
		Work: func(ctx context.Context, task subplans.Task) error {
			if task.Name == "dye" && task.Plan.Attempt == 1 {
				return fmt.Errorf("the vat is empty")
			}
			if _, err := task.Changes.StartChangeset(ctx); err != nil {
				return err
			}
			_, err := task.Changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationCreate, Path: task.Name + ".log"})
			return err
		},
		Merge: func(ctx context.Context, _ lifecycle.Plan, c lifecycle.Change) error {
			_, err := changes.RecordChange(ctx, c.Entry)
			return err
		},
	}, []subplans.Subplan{
		{Name: "spin", Action: "mill/spin"},
		{Name: "dye", Action: "mill/dye"},
		{Name: "weave", Action: "mill/weave", After: []string{"spin", "dye"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Printf("%s: %s, attempt %d\n", r.Name, r.State, r.Plan.Attempt)
	}

	for _, command := range []lifecycle.Command{lifecycle.CommandCompleteExecute, lifecycle.CommandApplyPlan} {
		_, _ = service.Transition(ctx, claim.Request(command))
	}
	applied, err := changes.Apply(ctx, func(_ context.Context, c lifecycle.Change) error {
		fmt.Printf("bring %d: %s %s\n", c.Number, c.Operation, c.Path)
		return nil
	})
	fmt.Println(applied.Position(), applied.Applied, err)
	// Output:
	// spin: complete, attempt 1
	// dye: complete, attempt 2
	// weave: complete, attempt 1
	// bring 1: create spin.log
	// bring 2: create dye.log
	// bring 3: create weave.log
	// apply/applied 3 <nil>
}
