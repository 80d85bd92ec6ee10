// Package cputime measures processor time, for benchmarks in which other processes of
// the machine must not count.
package cputime

import "time"

// Unit is the unit of benchmark figures made from [Spent]: nanoseconds of processor time.
const Unit = "cpu-ns/op"

// start is the approximate start of the process.
var start = time.Now()

func sinceStart() time.Duration { return time.Since(start) }
