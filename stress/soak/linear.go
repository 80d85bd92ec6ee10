package soak

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// Linearity is the result of the linearizability check.
type Linearity struct {
	Parts      int           `json:"parts"`
	Operations int           `json:"operations"` // in all parts, including readings from listings
	Pending    int           `json:"pending"`    // operations without a known outcome
	Largest    int           `json:"largest"`    // operations of the largest part
	Took       time.Duration `json:"took"`
	Slowest    time.Duration `json:"slowest"` // the time for the slowest part
	Wrong      int           `json:"wrong"`   // parts that are not linearizable
	Unknown    int           `json:"unknown"` // parts that were not decided in time
	Problems   []Problem     `json:"problems,omitempty"`
}

// graceTime is the least time for which other parts are still decided after one has been found wrong.
const graceTime = 5 * time.Second

// linearity decides for every part whether it is linearizable, in parallel on all processors, until limit is over. Small
// parts come first, because a large one can take all the time. Once a part is wrong the history is wrong, and the others
// get as much time again as that took, and at least graceTime.
func (h *history) linearity(ctx context.Context, limit time.Duration) Linearity {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	var (
		all      = slices.SortedStableFunc(slices.Values(h.parts()), func(a, b *part) int { return len(a.operations) - len(b.operations) })
		sum      = Linearity{Parts: len(all)}
		next     = make(chan *part)
		mu       sync.Mutex // guards sum
		deciders sync.WaitGroup
		grace    *time.Timer // nil until a part is wrong; guarded by mu
	)
	for range runtime.GOMAXPROCS(0) {
		deciders.Go(func() {
			for p := range next {
				v := p.decide(ctx)
				mu.Lock()
				sum.add(h, p, v)
				if sum.Wrong > 0 && grace == nil {
					grace = time.AfterFunc(max(time.Since(began), graceTime), cancel)
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range all {
		next <- p
	}
	close(next)
	deciders.Wait()
	if grace != nil {
		grace.Stop()
	}
	sum.Took = time.Since(began)
	return sum
}

// verdict is the result for one part.
type verdict struct {
	result porcupine.CheckResult
	took   time.Duration
}

// decide calls porcupine. After ctx has ended no step is legal, which soon ends the search, undecided.
func (p *part) decide(ctx context.Context) verdict {
	began := time.Now()
	bounded := p.model
	bounded.Step = func(state, input, output any) (bool, any) {
		if ctx.Err() != nil {
			return false, state
		}
		return p.model.Step(state, input, output)
	}
	result := porcupine.Unknown
	if legal := porcupine.CheckOperations(bounded, p.history()); ctx.Err() == nil {
		result = porcupine.Illegal
		if legal {
			result = porcupine.Ok
		}
	}
	return verdict{result, time.Since(began)}
}

// history returns the part in porcupine's form. After everything that has returned comes one more operation, which marks
// that point; pending operations return after it.
func (p *part) history() []porcupine.Operation {
	last := int64(0)
	for _, o := range p.operations {
		if !o.answer.Outcome.pending() {
			last = max(last, o.answer.At)
		}
	}
	all := make([]porcupine.Operation, 0, len(p.operations)+1)
	for i, o := range p.operations {
		op := porcupine.Operation{ClientId: i, Input: o, Call: o.call.At, Return: o.answer.At}
		if o.answer.Outcome.pending() {
			op.Return = never
		}
		if op.Call <= last || !o.answer.Outcome.pending() { // a pending call after all returns cannot have been seen
			all = append(all, op)
		}
	}
	return append(all, porcupine.Operation{ClientId: len(p.operations), Input: (*operation)(nil), Call: last + 1, Return: last + 1})
}

// add adds the result for a part.
func (l *Linearity) add(h *history, p *part, v verdict) {
	l.Operations += len(p.operations)
	l.Largest = max(l.Largest, len(p.operations))
	l.Slowest = max(l.Slowest, v.took)
	for _, o := range p.operations {
		if o.answer.Outcome.pending() {
			l.Pending++
		}
	}
	problem := Problem{}
	switch v.result {
	case porcupine.Ok:
		return
	case porcupine.Unknown:
		l.Unknown++
		problem.What = fmt.Sprintf("%s: %d operations were not decided in time", p.name, len(p.operations))
	default:
		l.Wrong++
		problem.What = fmt.Sprintf("%s: %d operations are not linearizable", p.name, len(p.operations))
		if len(l.Problems) < toldProblems {
			problem.Excerpt = h.excerpt(p)
		}
	}
	if len(l.Problems) < toldProblems {
		l.Problems = append(l.Problems, problem)
	}
}
