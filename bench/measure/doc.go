// Package measure is what the commands that measure have in common: turns that
// are interleaved, medians, what benchmarks print, and the places in documents
// where tables belong.
//
// Machines are noisy, so what is compared takes turns, in rounds, and a ratio is
// the median of the rounds' own ratios, in which a noise that lasts longer than
// a turn cancels out.
package measure
