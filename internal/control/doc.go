// Package control is the ordinary-Go half of a controlled execution; the other
// half is added to package runtime by the build overlay (see
// internal/overlay/runtime).
//
// A process is controlled if it was built with the overlay and the build tag
// jacquard, with the race detector or without; [Available] says so. There is one
// execution at a time in a process. The goroutine that calls [Start] is its
// controller: it spawns the root task, then steps tasks one by one. While a
// step runs the controller is parked, so between steps nothing of the execution
// moves and the records of all tasks can be read in place. The process must have
// one processor (GOMAXPROCS): then nobody outside the execution sees it within the
// runtime's half of a step.
//
// Only the functions that say so are safe for use by several goroutines.
package control
