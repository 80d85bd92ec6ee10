// Package passing is the part of a soak about deletion: plans that are archived and deleted, and actions that are deleted
// and created again. All processes of the soak work on the same few, which only this package uses.
//
// [Actor.Act] records each call in a file before it makes it, and its outcome afterwards. [Judge] reads these files and
// requires, for each plan, and for each action with the number of its plans, one order of all calls that agrees with the
// times and the results. It has its own model of the results, and does not use package lifecycle's.
package passing
