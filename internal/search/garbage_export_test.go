package search

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Collecting runs random schedules of a body, each again with garbage collections at other
// moments. It returns an error that describes the first difference.
func Collecting(cfg Config, schedules int, body func(*engine.T)) error {
	x, err := begin(context.Background(), cfg, body)
	if err != nil {
		return err
	}
	defer x.end()
	x.Execute(schedule.DefaultPick{}, 1, nil)
	for seed := range uint64(schedules) {
		var digest, sum uint64
		for every := range 4 {
			ex := x.ExecuteWith(func(ex *engine.Execution) schedule.Picker {
				return &collecting{ex, rand.New(rand.NewPCG(seed, 1)), 3 * every, 0}
			}, seed, nil)
			if ex.Out.Failed() || ex.Out.Unknown != "" {
				return fmt.Errorf("schedule %d: %v %s", seed, ex.Out.Message, ex.Out.Unknown)
			}
			if every == 0 {
				digest, sum = ex.Digest(), ex.Sum
			} else if ex.Digest() != digest || ex.Sum != sum {
				return fmt.Errorf("schedule %d, garbage collected at every %dth decision: got course %x and order %x, want %x and %x", seed, 3*every, ex.Digest(), ex.Sum, digest, sum)
			}
		}
	}
	return nil
}

// collecting picks at random, and collects garbage after every so many decisions.
type collecting struct {
	ex    *engine.Execution
	rand  *rand.Rand
	every int // 0 means never
	made  int
}

func (c *collecting) Pick(p *schedule.Point) schedule.Choice {
	c.made++
	if c.every > 0 && c.made%c.every == 0 {
		c.ex.Engine.Garbage()
		c.ex.Forget()
	}
	return schedule.Choice{Index: c.rand.IntN(len(p.Runnable)), Case: c.rand.Uint32N(4)}
}
