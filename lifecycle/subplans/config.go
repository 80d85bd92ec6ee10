package subplans

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// Mode says in what order subplans are worked on.
type Mode string

// The modes.
const (
	Sequential     Mode = "sequential"      // one after the other, as they are given
	Parallel       Mode = "parallel"        // MaxParallel at a time, begun as they are given
	ByDependencies Mode = "by dependencies" // the same, but none before those that it needs are complete
)

// DefaultParallel is how many subplans are worked on at a time unless the
// configuration says otherwise.
const DefaultParallel = 4

// Subplan is one part of a plan.
type Subplan struct {
	Name   string   // of the plan that is made, see [lifecycle.ParseName]; unique among those of the parent
	Action string   // from which the plan is made
	After  []string // the names of those that must be complete before it begins; for ByDependencies only

	// Options is what the plan is made with. Its Name and ParentID are filled in.
	Options lifecycle.UseOptions
}

// Config says how subplans are executed.
type Config struct {
	Service *lifecycle.Service // where the plans are; required

	// Parent is the plan whose parts these are, by the claim that the caller has to
	// it and renews. Without one, only the PlanID is set. What is written down in the
	// parent carries the claim.
	Parent lifecycle.Claim

	Mode        Mode          // empty for Sequential
	MaxParallel int           // how many are worked on at a time; 0 for DefaultParallel; Sequential is one
	FailFast    bool          // cancel the others when one has failed
	Timeout     time.Duration // of one attempt, in real time; 0 for none
	Retries     int           // how often a subplan that fails is tried again

	Holder string        // the name under which subplans are claimed; empty for one with the parent's identifier
	Lease  time.Duration // of these claims, which are renewed; 0 for lifecycle.DefaultClaim

	// Work executes a subplan. It is called by a goroutine of its own for each
	// attempt, several at a time, and has to return soon when its context ends.
	// Required.
	Work func(context.Context, Task) error

	// Merge is given each change of a complete subplan, by one goroutine. An error
	// ends the run; a later one goes on with the same change. Nil for nothing: the
	// subplans are applied all the same. It may be given a change that it has merged
	// before, if whoever merged has died: see the package's limits.
	Merge func(context.Context, lifecycle.Plan, lifecycle.Change) error
}

// Task is one attempt at a subplan.
type Task struct {
	Name    string                      // as it was given
	Plan    lifecycle.Plan              // at execute/processing; its Attempt counts from 1
	Changes *lifecycle.ExecutionContext // what records its changes, under its claim; what earlier attempts have recorded stays
}

// check refuses what cannot be run, and fills in defaults.
func (c *Config) check() error {
	switch c.Mode {
	case "":
		c.Mode = Sequential
	case Sequential, Parallel, ByDependencies:
	default:
		return check.Invalid("mode", string(c.Mode), "is unknown; want sequential, parallel or by dependencies")
	}
	switch {
	case c.Service == nil:
		return check.Invalid("service", "", "is nil")
	case c.Work == nil:
		return check.Invalid("work", "", "is nil")
	case c.Parent.PlanID == "":
		return check.Invalid("parent", "", "is empty; want the identifier of a plan")
	case c.MaxParallel < 0:
		return check.Invalid("max parallel", fmt.Sprint(c.MaxParallel), "is negative")
	case c.Timeout < 0:
		return check.Invalid("timeout", c.Timeout.String(), "is negative")
	case c.Retries < 0:
		return check.Invalid("retries", fmt.Sprint(c.Retries), "is negative")
	case c.Lease != 0 && (c.Lease < time.Millisecond || c.Lease > lifecycle.LongestClaim):
		return check.Invalid("lease", c.Lease.String(), fmt.Sprintf("is not from 1ms to %v", lifecycle.LongestClaim))
	}
	if c.Lease == 0 {
		c.Lease = lifecycle.DefaultClaim
	}
	if c.MaxParallel == 0 {
		c.MaxParallel = DefaultParallel
	}
	if c.Mode == Sequential {
		c.MaxParallel = 1
	}
	if c.Holder == "" {
		c.Holder = "subplans of " + c.Parent.PlanID
	}
	return nil
}
