package stress

import (
	"context"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// Litmus is a small test with several possible outcomes. An outcome that is not in its table is forbidden.
type Litmus struct {
	Name  string
	Table []Outcome // without counts

	// play lets two or three goroutines meet and returns the observed outcome, as in the table.
	play func(t races.T) (string, error)
}

// LitmusCampaign is the name of a campaign that runs a row's litmus tests.
const LitmusCampaign = "litmus"

// may returns an acceptable outcome, met an interesting one (the goroutines met), and not a forbidden one.
func may(what, means string) Outcome { return Outcome{What: what, Grade: Acceptable, Means: means} }
func met(what, means string) Outcome { return Outcome{What: what, Grade: Interesting, Means: means} }
func not(what, means string) Outcome { return Outcome{What: what, Grade: Forbidden, Means: means} }

// graded returns an outcome of a test with the grade that its table gives it.
func (l Litmus) graded(what string) Outcome {
	o := Outcome{What: what, Grade: Forbidden, Means: "not in the table"}
	if i := slices.IndexFunc(l.Table, o.same); i >= 0 {
		o = l.Table[i]
	}
	o.Test, o.Count = l.Name, 1
	return o
}

// runLitmus runs the tests in turn, each for an equal share of the time, with enough rounds side by side to keep all
// processors busy.
func runLitmus(ctx context.Context, t *trial, tests []Litmus) {
	begin := time.Now()
	for i, l := range tests {
		until := begin.Add(t.Time * time.Duration(i+1) / time.Duration(len(tests)))
		t.lanes(ctx, until, func(h *handle) (o Outcome, err error) {
			what := ""
			err = h.run(func(races.T) (err error) {
				what, err = l.play(h)
				return err
			})
			if len(h.failures) > 0 {
				what = classOf(h.failures[0])
			}
			return l.graded(what), err
		})
	}
	t.sum("rounds that were judged", t.ended.Load(), t.progress.rounds.Load())
}
