package measure

import "time"

// CPUTime is the unit of figures that are made of [Spent]: nanoseconds of
// processor time.
const CPUTime = "cpu-ns/op"

// start is when the process began, or about then.
var start = time.Now()

func sinceStart() time.Duration { return time.Since(start) }
