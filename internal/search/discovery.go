package search

import (
	"context"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/report"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// Survey runs body once, under the schedule without preemptions, and reports how much
// there is to explore: [Result].Points is the number of choices in that schedule. If it
// is 0 the body behaves the same in every schedule, and there is nothing more to
// explore. Survey is for callers with many bodies, most of which have no choices.
//
// The verdict is Violated if the schedule fails, and Unknown otherwise. A failure has a
// card, but is neither minimised nor retried; [Run] does both. So effects that only the
// first execution of a process has can make the card impossible to follow. The errors
// are those of Run.
func Survey(ctx context.Context, cfg Config, body func(*engine.T)) (*verdict.Result, error) {
	x, err := single(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	x.Tracking = true // the cause of a deadlock includes the goroutines' positions
	ex := x.Execute(schedule.DefaultPick{}, x.cfg.Seed, report.NewRecorder())
	r := x.result
	r.Schedules, r.Points, r.Coarse = 1, choices(ex.Run), ex.Slices.Coarse
	x.seen[ex.Sum] = true
	r.Distinct = len(x.seen)
	r.Outside, r.Depends, r.Left = x.Outsiders(), x.Depends(), ex.Kinds()
	switch {
	case ex.Out.Unknown != "":
		r.Reason = ex.Out.Unknown
	case ex.Out.Failed():
		c, err := x.card(ex, x.cfg.Seed)
		if err != nil {
			return nil, err
		}
		c.Cause = card.NameID(ex.Cause()) // a run without deviations needs no anchors
		points := r.Points
		x.fail(ex, x.cfg.Seed, &verdict.Failure{Strategy: byDefault, Schedule: 1, Plain: true, Found: schedule.Preemptions(ex.Run), FoundSteps: ex.Steps, Card: c.String()}, nil)
		r.Points = points
	case ex.Outside != "":
		r.Reason = "it depends on what is outside the execution: " + ex.Outside
	case r.Points == 0:
		r.Reason = "nothing to explore: 1 schedule and never a choice"
	default:
		r.Reason = "not explored: 1 schedule"
	}
	return r, nil
}

// choices counts the decisions with more than one alternative.
func choices(run []schedule.Decision) (n int) {
	for _, d := range run {
		if d.Runnable > 1 || d.Ready > 1 {
			n++
		}
	}
	return n
}

// byDefault is the strategy name of failures of the schedule without
// preemptions.
const byDefault = "default"
