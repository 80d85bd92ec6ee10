// Package engine runs one execution at a time, under a picker that decides its
// schedule, and says as plain data what happened: decisions, steps, races, and how it
// ended. Time, the network, leaks, goroutines that spin, locks and temporary files are
// its concern. It knows no strategy by name, and makes no report.
//
// Functions of [T], and of package linear, run on goroutines of the execution, as the
// harness's own code. All else runs on the controller.
package engine
