package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/races/explored"
)

// A judged subject is one with what came of it.
type judged struct {
	explored.Subject
	answer answer
}

type verdicts []judged

// judge explores all subjects, whatever becomes of each.
func judge(ctx context.Context, p *pool, screen *command.Screen, what string, subjects []explored.Subject, seed uint64) (verdicts, error) {
	all := make(verdicts, len(subjects))
	jobs := make([]job, len(subjects))
	for i, s := range subjects {
		all[i].Subject = s
		jobs[i] = job{Subject: s.ID, Seed: seed}
	}
	bar := screen.Count(what, len(jobs))
	var mu sync.Mutex
	err := p.do(ctx, jobs,
		func(i, schedules int) {
			mu.Lock()
			defer mu.Unlock()
			bar.At(fmt.Sprintf("%s: %d schedules", subjects[i].ID, schedules))
		},
		func(i int, a answer) {
			mu.Lock()
			defer mu.Unlock()
			all[i].answer = a
			bar.Done(subjects[i].ID)
		})
	return all, err
}

// right reports whether the verdict is what it must be.
func (j judged) right() bool {
	return j.answer.Outcome != nil && j.Right(j.answer.Outcome.Verdict, j.answer.Outcome.Kind)
}

// find returns what came of the subject with that identifier.
func (v verdicts) find(id string) (judged, bool) {
	for _, j := range v {
		if j.ID == id {
			return j, true
		}
	}
	return judged{}, false
}

func (v verdicts) wrong() verdicts {
	var wrong verdicts
	for _, j := range v {
		if !j.right() {
			wrong = append(wrong, j)
		}
	}
	return wrong
}

// got says what came of a subject, in a few words.
func (j judged) got() string {
	o := j.answer.Outcome
	switch {
	case o == nil:
		return "an error: " + command.OneLine(j.answer.Error)
	case o.Reason != "":
		return o.Verdict + ": " + o.Reason
	case o.Kind != "":
		return fmt.Sprintf("%s (%s): %s", o.Verdict, o.Kind, o.Message)
	}
	return o.Verdict
}

// wanted says what must come of it.
func (j judged) wanted() string {
	if j.Kind != "" {
		return fmt.Sprintf("%s (%s)", j.Want, j.Kind)
	}
	return string(j.Want)
}
