package verdict

import (
	"fmt"
	"math"
)

// A Novelty estimates, from samples, what other schedules would show. A sample has something of its
// own if it has two operations on one object in an order, by places in the code, that no other has.
type Novelty struct {
	Samples int // schedules drawn by strategies other than searches
	Alone   int // samples that have something of their own
	Twos    int // pairs of samples that have something that no third has
	All     int // different orders of two operations, in all samples
}

// enoughSamples is the number of samples below which there is no estimate.
const enoughSamples = 20

// Chance returns a 95 % interval for the probability that one more sample has something that none has
// had. It is estimated from the samples that have something of their own when left out (Good: The
// population frequencies of species, Biometrika 1953), with the variance of Esty (A normal limit law for
// a nonparametric estimator of the coverage of a random sample, Annals of Statistics 1983), and three
// more samples at the upper end: an event with a frequency above 3/n is seen in n samples in 95 of 100
// cases. Departure: samples of a strategy that learns are not identically distributed, so the interval
// was calibrated on programs all of whose schedules are known. ok is false if there are too few samples.
func (n Novelty) Chance() (low, high float64, ok bool) {
	if n.Samples < enoughSamples {
		return 0, 1, false
	}
	all, alone := float64(n.Samples), float64(n.Alone)
	spread := 1.96 * math.Sqrt(alone*(1-alone/all)+2*float64(n.Twos))
	return max(0, (alone-spread)/all), min(1, (alone+spread+3)/all), true
}

// String describes the interval in words; "" if there are too few samples.
func (n Novelty) String() string {
	low, high, ok := n.Chance()
	if !ok {
		return ""
	}
	return fmt.Sprintf("one more sample shows a new order with a chance of %s to %s %%", percent(low, math.Floor), percent(high, math.Ceil))
}

// percent formats a probability in percent, rounded to one decimal by round.
func percent(p float64, round func(float64) float64) string {
	return fmt.Sprint(round(p*1000) / 10)
}
