package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// Collecting runs so many random schedules of a body, each of them again with
// garbage collected at other moments, and says how the first differs from what it
// was.
func Collecting(cfg Config, schedules int, body func(*T)) error {
	x, err := begin(context.Background(), cfg, body)
	if err != nil {
		return err
	}
	defer x.end()
	x.execute(defaultPick{}, 1, nil)
	for seed := range uint64(schedules) {
		var digest, sum uint64
		for every := range 4 {
			ex := x.executeWith(func(ex *execution) picker {
				return &collecting{ex, rand.New(rand.NewPCG(seed, 1)), 3 * every, 0}
			}, seed, nil)
			if ex.out.failed() || ex.out.unknown != "" {
				return fmt.Errorf("schedule %d: %v %s", seed, ex.out.message, ex.out.unknown)
			}
			if every == 0 {
				digest, sum = ex.digest(), ex.sum
			} else if ex.digest() != digest || ex.sum != sum {
				return fmt.Errorf("schedule %d, garbage collected at each %d. decision: got course %x and order %x, want %x and %x", seed, 3*every, ex.digest(), ex.sum, digest, sum)
			}
		}
	}
	return nil
}

// collecting picks at random, and collects garbage at each so many decisions.
type collecting struct {
	ex    *execution
	rand  *rand.Rand
	every int // 0 is never
	made  int
}

func (c *collecting) Pick(p *Point) Choice {
	c.made++
	if c.every > 0 && c.made%c.every == 0 {
		c.ex.x.garbage()
		c.ex.forget()
	}
	return Choice{Index: c.rand.IntN(len(p.Runnable)), Case: c.rand.Uint32N(4)}
}
