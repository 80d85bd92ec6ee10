package engine

import "slices"

// A Kind is how a schedule failed.
type Kind string

// The kinds of failure.
const (
	KindCheck    Kind = "check"    // t.Error, t.Fatal and their like
	KindPanic    Kind = "panic"    // a panic that was not recovered
	KindFatal    Kind = "fatal"    // a fatal error of the Go runtime
	KindRace     Kind = "race"     // a data race
	KindDeadlock Kind = "deadlock" // the body can never return, or goroutines wait for one another's locks
	KindLeak     Kind = "leak"     // a goroutine that can never end
	KindLivelock Kind = "livelock" // the execution did not end within MaxSteps although it was scheduled fairly
	KindExit     Kind = "exit"     // os.Exit, log.Fatal: the process would have ended
	KindTiming   Kind = "timing"   // any of these, found only where a goroutine that could run is held up, for 10 µs or more, until a timer fires
)

// Kinds gives each kind its number in a card; append only.
var Kinds = []Kind{"", KindCheck, KindPanic, KindFatal, KindRace, KindDeadlock, KindLeak, KindLivelock, KindExit, KindTiming}

func KindNumber(k Kind) int { return max(slices.Index(Kinds, k), 0) }
