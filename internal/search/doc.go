// Package search explores a body: it runs the stages of a plan until a schedule fails
// or nothing is left, verifies that a schedule repeats, minimises failures, replays
// cards, and writes checkpoints.
package search
