// Package control is the ordinary-Go half of a controlled execution; the build
// overlay adds the other half to package runtime (see
// internal/overlay/runtime).
//
// A process is controlled if it was built with the overlay and the build tag
// jacquard, with or without the race detector; [Available] reports this. A process
// has one execution at a time. The goroutine that calls [Start] is its controller:
// it spawns the root task, then steps tasks one by one. The controller is parked
// while a step runs, so between steps nothing of the execution moves, and the
// records of all tasks can be read in place. The process must have one processor
// (GOMAXPROCS): then no goroutine outside the execution observes it within the
// runtime's half of a step.
//
// Only functions that say so are safe for concurrent use.
package control
