// Package search explores a body: it runs the stages of a plan until a schedule fails
// or nothing is left, makes sure that one schedule repeats, minimises what fails,
// replays cards, and keeps how far it has come.
package search
