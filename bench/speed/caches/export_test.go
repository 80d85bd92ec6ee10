package caches

import "time"

// Histogram lets the tests count durations.
type Histogram struct{ h histogram }

func (h *Histogram) Count(d time.Duration)              { h.h.count(d) }
func (h *Histogram) Percentile(p float64) time.Duration { return h.h.percentile(p) }

// Bounds returns where the class of a duration begins, and the next.
func Bounds(d time.Duration) (low, high time.Duration) {
	return least(class(uint64(d))), least(class(uint64(d)) + 1)
}
