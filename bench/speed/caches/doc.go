// Package caches measures what the cache and its peers cost, in one run on one machine.
//
// Machines are noisy, so each figure is measured many times, with all peers close together: a row of the table is measured in
// rounds, each round gives every peer a short turn, in an order that shifts from round to round, and a figure is the median over
// the rounds. A ratio that the cache must meet is the median of the rounds' own ratios, in which a noise that lasts longer
// than a turn cancels out. Hits are timed in loops that call each library directly; the rest uses package peers,
// which adds the two nanoseconds of a call through an interface.
//
// The figures say nothing about the quality of eviction: every cache is unbounded or has room for all that it is
// given.
package caches
