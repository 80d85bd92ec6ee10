package subplans

import (
	"context"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// Mode is the order in which subplans are worked on.
type Mode string

// The modes.
const (
	Sequential     Mode = "sequential"      // one after another, in the given order
	Parallel       Mode = "parallel"        // MaxParallel at a time, started in the given order
	ByDependencies Mode = "by dependencies" // as Parallel, but each starts only after those it needs are complete
)

// DefaultParallel is how many subplans are worked on at a time by default.
const DefaultParallel = 4

// Subplan is one part of a plan.
type Subplan struct {
	Name   string   // of the plan to make, see [lifecycle.ParseName]; unique among those of the parent
	Action string   // from which the plan is made
	After  []string // the names of subplans that must be complete before this one starts; for ByDependencies only

	// Options are the options of the plan. Name and ParentID are set by Run.
	Options lifecycle.UseOptions
}

// Config configures [Run].
type Config struct {
	Service *lifecycle.Service // the service of the plans; required

	// Parent is the plan that the subplans belong to, given by the caller's claim to it, which the
	// caller renews. Without a claim, only PlanID is set. Changes of the parent carry the claim.
	Parent lifecycle.Claim

	Mode        Mode          // empty for Sequential
	MaxParallel int           // how many are worked on at a time; 0 for DefaultParallel; Sequential is one
	FailFast    bool          // cancel the others when one has failed
	Timeout     time.Duration // of one attempt, in real time; 0 for none
	Retries     int           // how often a subplan that fails is tried again

	Holder string        // the holder's name in claims of subplans; empty for one with the parent's identifier
	Lease  time.Duration // of these claims, which are renewed; 0 for lifecycle.DefaultClaim

	// Work executes a subplan. Each attempt calls it on a goroutine of its own, several at a time,
	// and it must return soon when its context ends. Required.
	Work func(context.Context, Task) error

	// Merge gets each change of a complete subplan, on one goroutine. An error ends the run; a
	// later run continues with the same change. Nil means to do nothing; the subplans are applied
	// all the same. Merge may get a change that it has merged before, if the earlier merger has
	// died: see the package's limits.
	Merge func(context.Context, lifecycle.Plan, lifecycle.Change) error
}

// Task is one attempt at a subplan.
type Task struct {
	Name    string                      // as it was given
	Plan    lifecycle.Plan              // at execute/processing; its Attempt counts from 1
	Changes *lifecycle.ExecutionContext // records its changes, under its claim; changes of earlier attempts stay
}

// check refuses an invalid configuration, and fills in defaults.
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
