// Package cputime is about processor time, which benchmarks measure where other
// processes of the machine must not count.
package cputime

import "time"

// Unit is that of figures that are made of [Spent]: nanoseconds of processor time.
const Unit = "cpu-ns/op"

// start is when the process began, or about then.
var start = time.Now()

func sinceStart() time.Duration { return time.Since(start) }
