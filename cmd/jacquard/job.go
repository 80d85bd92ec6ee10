package main

import (
	"github.com/jacquard-go/jacquard/explore"
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
	Verdict     string             `json:"verdict"`
	Kind        string             `json:"kind,omitempty"`
	Schedule    int                `json:"schedule,omitempty"`
	Preemptions int                `json:"preemptions"`
	Steps       int                `json:"steps"`
	Found       int                `json:"found"`
	FoundSteps  int                `json:"foundSteps"`
	Minimal     bool               `json:"minimal"`
	Replayed    string             `json:"replayed,omitempty"` // what came of the card, in a word or two
	Strategy    string             `json:"strategy,omitempty"`
	Card        string             `json:"card,omitempty"`
	Message     string             `json:"message,omitempty"`
	Exhausted   bool               `json:"exhausted"`
	Bound       int                `json:"bound"`
	Schedules   int                `json:"schedules"`
	Searched    int                `json:"searched"`
	Distinct    int                `json:"distinct"`
	Points      int                `json:"points"`
	Reason      string             `json:"reason,omitempty"`
	Races       []string           `json:"races,omitempty"`   // noted besides
	Trusted     []string           `json:"trusted,omitempty"` // packages without points
	Timeline    *timeline.Timeline `json:"timeline,omitempty"`
}

func outcomeOf(r *explore.Result) *outcome {
	o := &outcome{
		Verdict: r.Verdict.String(), Exhausted: r.Exhausted, Bound: r.Bound, Schedules: r.Schedules, Searched: r.Searched,
		Distinct: r.Distinct, Points: r.Points, Reason: r.Reason, Trusted: r.Trusted,
	}
	for _, race := range r.Noted {
		o.Races = append(o.Races, race.String())
	}
	if f := r.Failure; f != nil {
		o.Kind, o.Message, o.Card, o.Strategy = string(f.Kind), f.Message, f.Card, f.Strategy
		o.Schedule, o.Preemptions, o.Found, o.Timeline = f.Schedule, f.Preemptions, f.Found, f.Timeline
		o.Steps, o.FoundSteps, o.Minimal = f.Steps, f.FoundSteps, f.Minimal
	}
	return o
}
