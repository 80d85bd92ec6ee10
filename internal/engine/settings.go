package engine

import (
	"os"
	"time"
)

// A RacePolicy says what a data race in the body means.
type RacePolicy int

const (
	// RacesFail: a data race is a violation. The default.
	RacesFail RacePolicy = iota
	// RacesNote: data races are listed in [Result].Noted, their accesses
	// become scheduling points, and the exploration goes on to see what they
	// lead to.
	RacesNote
	// RacesGoOn: a data race is a violation, but does not end an execution: the caller
	// also wants to see what follows it.
	RacesGoOn
)

// A LeakPolicy says what it means if a goroutine outlives the body.
type LeakPolicy int

const (
	// LeaksFail: a goroutine that can never end is a violation. The default.
	LeaksFail LeakPolicy = iota
	// LeaksIgnore: leaks are no violation.
	LeaksIgnore
	// LeaksDiffer: it is a violation if some schedules leave a goroutine of its kind
	// (started by the same function and waiting in the same one) and others do not.
	// Goroutines that live by timers do not count.
	LeaksDiffer
	// LeaksStuck: it is a violation if no goroutine can ever continue. As long as one
	// goroutine sleeps repeatedly or uses a ticker, it might yet wake the others.
	// Goroutines that wait for one another's locks can never continue, and are a
	// violation in any case.
	LeaksStuck
)

// Settings are the part of the exploration's Config that the engine uses. [Config] has
// the same fields, and documents them.
type Settings struct {
	Name        string
	MaxSteps    int
	Watchdog    time.Duration
	Stall       time.Duration
	Patient     bool
	Residents   bool
	Races       RacePolicy
	Leaks       LeakPolicy
	IgnoreLeaks []LeakFilter
	Trust       []string
	Targets     []string // see [schedule.Aimer]
	Runner      string
	Streams     []*os.File
	Prepare     func()
}
