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
	// RacesGoOn: a data race is a violation, and no execution ends for it: what is
	// behind it is asked for, too.
	RacesGoOn
)

// A LeakPolicy says what a goroutine means that outlives the body.
type LeakPolicy int

const (
	// LeaksFail: a goroutine that can never end is a violation. The default.
	LeaksFail LeakPolicy = iota
	// LeaksIgnore: it is none.
	LeaksIgnore
	// LeaksDiffer: it is a violation if a goroutine of its kind, started by the
	// same function and waiting in the same one, is left by some schedules and
	// not by others, and goroutines that live by timers do not count.
	LeaksDiffer
	// LeaksStuck: it is a violation if nobody can ever go on again. As long as
	// one goroutine sleeps again and again or lives by a ticker, it might yet
	// wake the others. Goroutines that wait for one another's locks can never
	// go on whoever lives, and are a violation in any case.
	LeaksStuck
)

// Settings are what an engine is told of an exploration. [Config] has the same
// fields, and says what they mean.
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
