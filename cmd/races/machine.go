package main

import (
	"runtime"

	"github.com/jacquard-go/jacquard/internal/command"
)

// machine is the table for machines.
type machine struct {
	Go         string        `json:"go"`
	Controlled bool          `json:"controlled"`
	Seed       uint64        `json:"seed"`
	Races      []machineRace `json:"races"`
}

type machineRace struct {
	ID    string                 `json:"id"`
	Issue int                    `json:"issue"`
	Title string                 `json:"title"`
	Cells map[string]machineCell `json:"cells"`
}

// A machineCell has the fields of a violation or those of one that holds;
// which, its verdict says.
type machineCell struct {
	Verdict     string   `json:"verdict"`
	Kind        string   `json:"kind,omitempty"`
	Message     string   `json:"message,omitempty"`
	Schedule    int      `json:"schedule,omitempty"`
	Preemptions *int     `json:"preemptions,omitempty"`
	Strategy    string   `json:"strategy,omitempty"`
	Card        string   `json:"card,omitempty"`
	Races       []string `json:"races,omitempty"`
	Exhausted   *bool    `json:"exhausted,omitempty"`
	Unbounded   bool     `json:"unbounded,omitempty"` // exhausted, whatever the number of preemptions
	Bound       *int     `json:"bound,omitempty"`     // else, if exhausted: up to so many
	Schedules   int      `json:"schedules,omitempty"`
	Distinct    int      `json:"distinct,omitempty"`
	Trusted     []string `json:"trusted,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	Took        float64  `json:"took,omitempty"` // seconds, until it was found, reduced and confirmed, or not found
	Want        string   `json:"want"`
	Right       bool     `json:"right"`
}

func machineReport(s show, cells verdicts) machine {
	m := machine{Go: runtime.Version(), Controlled: true, Seed: s.seed}
	for _, r := range s.catalogue {
		row := machineRace{ID: r.ID, Issue: r.Issue, Title: r.Title, Cells: make(map[string]machineCell)}
		for _, c := range r.Cells {
			if j, ok := cells.find(c.ID); ok {
				row.Cells[string(c.Column)] = j.machine(s.timed)
			}
		}
		m.Races = append(m.Races, row)
	}
	return m
}

func (j judged) machine(timed bool) machineCell {
	c := machineCell{Want: string(j.Want), Right: j.right()}
	o := j.answer.Outcome
	if o == nil {
		c.Verdict, c.Reason = "unknown", command.OneLine(j.answer.Error)
		return c
	}
	c.Verdict, c.Reason, c.Races = o.Verdict, o.Reason, o.Races
	if timed {
		c.Took = o.Took
	}
	switch o.Verdict {
	case "violated":
		c.Kind, c.Message, c.Card, c.Strategy = o.Kind, o.Message, o.Card, o.Strategy
		c.Schedule, c.Preemptions = o.Schedule, &o.Preemptions
	case "holds":
		c.Exhausted, c.Schedules, c.Distinct, c.Trusted = &o.Exhausted, o.Schedules, o.Distinct, o.Trusted
		if o.Exhausted {
			c.Schedules, c.Unbounded = o.Searched, o.Unbounded
		}
		if o.Exhausted && !o.Unbounded {
			c.Bound = &o.Bound
		}
	default:
		c.Schedules = o.Schedules
	}
	return c
}
