package stress

import (
	"context"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// Litmus is a small test with several possible outcomes. What is not in its table is forbidden.
type Litmus struct {
	Name  string
	Table []Outcome // without counts

	// play lets two or three goroutines meet and says what was observed, as in the table.
	play func(t races.T) (string, error)
}

// LitmusCampaign is the name of a campaign that runs a row's litmus tests.
const LitmusCampaign = "litmus"

// may is an acceptable outcome, met an interesting one: it shows that the goroutines met.
func may(what, means string) Outcome { return Outcome{What: what, Grade: Acceptable, Means: means} }
func met(what, means string) Outcome { return Outcome{What: what, Grade: Interesting, Means: means} }
func not(what, means string) Outcome { return Outcome{What: what, Grade: Forbidden, Means: means} }

// graded is an outcome of a test as its table has it.
func (l Litmus) graded(what string) Outcome {
	o := Outcome{What: what, Grade: Forbidden, Means: "not in the table"}
	if i := slices.IndexFunc(l.Table, o.same); i >= 0 {
		o = l.Table[i]
	}
	o.Test, o.Count = l.Name, 1
	return o
}

// runLitmus runs tests one after the other, each for an equal share of the time, in as many rounds at a time as keep all processors
// busy.
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
