// Package engine runs one execution at a time, under a picker that decides its
// schedule, and returns plain data: decisions, steps, races, and how the execution
// ended. It handles time, the network, leaks, spinning goroutines, locks and temporary
// files. It knows no strategy by name, and makes no report.
//
// Functions of [T], and of package linear, run on goroutines of the execution, as the
// harness's own code. Everything else runs on the controller.
package engine
