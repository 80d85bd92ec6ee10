// Package measure has what commands that measure share: interleaved turns,
// medians, the parsing of benchmark output, and the places in documents
// where tables belong.
//
// Machines are noisy, so the things compared take turns, in rounds, and a ratio is
// the median of the rounds' own ratios, in which a noise that lasts longer than
// a turn cancels out.
package measure
