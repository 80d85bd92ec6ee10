package verdict

import (
	"fmt"
	"math"
)

// A Novelty is what samples tell of schedules that were not run. A sample has something of its own if
// it has two operations on one object in an order, by places in the code, that no other sample has.
type Novelty struct {
	Samples int // schedules that a strategy has drawn which is no search
	Alone   int // how many of them have something of their own
	Twos    int // how many pairs of them have something that no third has
	All     int // different orders of two operations that were met
}

// enoughSamples are those without which nothing is said.
const enoughSamples = 20

// Chance is between what the chance is, nearly always, that one more sample has something that none has
// had. It is estimated from the samples of which that is true when they are left out (Good: The population
// frequencies of species, Biometrika 1953), with the variance of Esty (A normal limit law for a nonparametric
// estimator of the coverage of a random sample, Annals of Statistics 1983), and three samples more at the
// upper end: what comes once in n/3 was met by then, in 95 of 100. Departure: a strategy that learns draws
// no two samples alike. So this is calibrated, by programs all of whose schedules are known. ok is
// false if there were too few samples.
func (n Novelty) Chance() (low, high float64, ok bool) {
	if n.Samples < enoughSamples {
		return 0, 1, false
	}
	all, alone := float64(n.Samples), float64(n.Alone)
	spread := 1.96 * math.Sqrt(alone*(1-alone/all)+2*float64(n.Twos))
	return max(0, (alone-spread)/all), min(1, (alone+spread+3)/all), true
}

// String is the chance in words; "" if there were too few samples.
func (n Novelty) String() string {
	low, high, ok := n.Chance()
	if !ok {
		return ""
	}
	return fmt.Sprintf("one more sample shows a new order with a chance of %s to %s %%", percent(low, math.Floor), percent(high, math.Ceil))
}

// percent rounds a chance away from what is between.
func percent(p float64, round func(float64) float64) string {
	return fmt.Sprint(round(p*1000) / 10)
}
