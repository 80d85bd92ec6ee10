// Command mill shows that a plan with three subplans survives its worker. It makes the plan and
// starts a worker process, which it kills during the second subplan. Another process takes over
// when the claims of the first are over, does the remaining work, and applies the plan.
//
//	go run ./lifecycle/subplans/mill -url sqlite:///mill.db
//	go run ./lifecycle/subplans/mill -url postgres://localhost/mill
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mill:", err)
		os.Exit(1)
	}
}

// mill is one process of the example.
type mill struct {
	service *lifecycle.Service
	out     io.Writer
	url     string
	lease   time.Duration
	plan    string // the plan that a worker works on; empty for the process that starts the workers
	hang    string // the subplan at which a worker hangs
}

// run runs the process that the arguments describe.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	m := mill{out: out}
	flags := flag.NewFlagSet("mill", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&m.url, "url", "sqlite:///mill.db", "the database, of SQLite in a file or of PostgreSQL")
	flags.DurationVar(&m.lease, "lease", 5*time.Second, "how long what a worker has stays its own when it was killed")
	flags.StringVar(&m.plan, "plan", "", "the plan to work on; for the worker processes")
	flags.StringVar(&m.hang, "hang", "", "the subplan to hang at; for the worker that is killed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	m.service, err = lifecycle.Open(ctx, lifecycle.Config{URL: m.url})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.service.Close()) }()
	if m.plan != "" {
		return m.work(ctx)
	}
	return m.order(ctx)
}

// order makes the plan and has two workers do it.
func (m mill) order(ctx context.Context) error {
	plan, err := m.begin(ctx)
	if err != nil {
		return err
	}
	if err := m.killAtWork(ctx, plan.ID); err != nil {
		return err
	}
	second := m.worker(ctx, plan.ID, "")
	second.Stdout = m.out
	if err := second.Run(); err != nil {
		return err
	}
	plan, err = m.service.GetPlan(ctx, plan.ID)
	if err != nil {
		return err
	}
	fmt.Fprintf(m.out, "the plan is at %s, %d changes applied\n", plan.Position(), plan.Applied)
	return nil
}

// begin makes the actions, if they are missing, and a plan for the workers.
func (m mill) begin(ctx context.Context) (plan lifecycle.Plan, err error) {
	for _, name := range []string{"mill/cloth", "mill/spin", "mill/dye", "mill/weave"} {
		_, err := m.service.CreateAction(ctx, lifecycle.ActionSpec{
			Name: name, Actors: lifecycle.Actors{Strategy: "master", Execution: "worker"}, Reusable: true,
		})
		if err != nil && !errors.Is(err, lifecycle.ErrAlreadyExists) {
			return plan, err
		}
	}
	plan, err = m.service.UseAction(ctx, "mill/cloth", lifecycle.UseOptions{})
	for _, r := range []lifecycle.Request{
		{Command: lifecycle.CommandStartStrategize},
		{Command: lifecycle.CommandCompleteStrategize, Progress: true},
		{Command: lifecycle.CommandStartExecute},
	} {
		if err == nil {
			r.PlanID = plan.ID
			plan, err = m.service.Transition(ctx, r)
		}
	}
	return plan, err
}

// worker is a process that works on a plan, and hangs at a subplan.
func (m mill) worker(ctx context.Context, plan, hang string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], "-url", m.url, "-lease", m.lease.String(), "-plan", plan, "-hang", hang)
	cmd.Stderr = os.Stderr
	return cmd
}

// killAtWork starts a worker, and kills it when it reports that it hangs.
func (m mill) killAtWork(ctx context.Context, plan string) error {
	cmd := m.worker(ctx, plan, "dye")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	said, err := "", error(nil)
	for lines := bufio.NewReader(pipe); err == nil && said != atWork; {
		said, err = lines.ReadString('\n')
		fmt.Fprint(m.out, said)
	}
	err = errors.Join(err, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	if err == nil {
		fmt.Fprintln(m.out, "the first worker is killed")
	}
	return err
}
