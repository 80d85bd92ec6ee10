package main

import (
	"github.com/jacquard-go/jacquard/explore"
	form "github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A job is what a worker is asked to do, one JSON object a line.
type job struct {
	Subject string `json:"subject"` // "R4/suggested", or a canary's name
	Seed    uint64 `json:"seed"`
	Card    string `json:"card,omitempty"` // to replay; empty is to explore
	Again   int    `json:"again,omitempty"`
	Workers int    `json:"workers,omitempty"` // processes that may explore; 0 is one
}

// An answer is what a worker says of its job: any number with Progress, then
// one with Outcome or Error.
type answer struct {
	Progress int      `json:"progress,omitempty"` // schedules so far
	Outcome  *outcome `json:"outcome,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// An outcome is a result as it travels from a worker.
type outcome struct {
	form.Finding
	Unbounded bool               `json:"unbounded,omitempty"` // exhausted, whatever the number of preemptions
	Differing string             `json:"differing,omitempty"` // then: see explore.Result
	Took      float64            `json:"took,omitempty"`      // seconds
	Timeline  *timeline.Timeline `json:"timeline,omitempty"`
}

func outcomeOf(r *explore.Result) *outcome {
	o := &outcome{Unbounded: r.Unbounded, Differing: r.Differing(), Finding: form.Finding{
		Format: form.Format, Verdict: r.Verdict.String(), Exhausted: r.Exhausted, Bound: r.Bound, Schedules: r.Schedules, Searched: r.Searched,
		Distinct: r.Distinct, Points: r.Points, Reason: r.Reason, Trusted: r.Trusted, Unexplored: r.Unexplored(),
	}}
	for _, race := range r.Noted {
		o.Races = append(o.Races, race.String())
	}
	if f := r.Failure; f != nil {
		o.Kind, o.Message, o.Card, o.Strategy = string(f.Of), f.Message, f.Card, f.Strategy
		o.Schedule, o.Preemptions, o.Found, o.Timeline = f.Schedule, f.Preemptions, f.Found, f.Timeline
		o.Steps, o.FoundSteps, o.Minimal = f.Steps, f.FoundSteps, f.Minimal
	}
	return o
}
