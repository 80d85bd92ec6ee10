// Package fuzz has native fuzz targets. An input of most of them is a program (operations, the tasks that run them, arguments)
// and its schedule, which Go's fuzzer mutates and minimizes together: see explore.FuzzProgram. Use it to find unexpected bugs.
//
//	FuzzR1Reported … FuzzN10Ours  programs on the subjects of each documented race, a target for each cell of the catalogue
//	FuzzCache                     programs of three callers on one key of a cache, or of two that share a bus
//	FuzzMemory                    programs on a plan service in memory, which has all that those have, and the uses of actions
//	FuzzClaims                    programs of two workers who claim one plan on a SQLite file
//	FuzzMemoryClaims              the same on one service in memory
//
// The specimens are meant to fail. Each finding is kept under testdata/fuzz, small and named for what it shows; plain go
// test replays all findings under control and fails if a specimen holds where it did not. Models judge what must hold:
// they state in a few words what the report asks for, and none of them uses the code under test. "make fuzz" runs all
// targets from an empty corpus and ends with a table.
//
// # One caller
//
// The other targets compare package lifecycle with the sequential model of package lifecycle/model, one call after the other, or read
// names, arguments, cards and Go's own files.
//
// A target reads its input, bytes, as a [Tape]: a sequence of operations with their arguments. It does each one to the service and to
// the model, and compares what they return, the kind of the error, and then everything that can be read. The targets are
//
//	FuzzEngines     which engine a URL gets, until the engines are closed
//	FuzzActions     creating, using and archiving actions, and all that is refused
//	FuzzArgument    declaring one argument and giving it one value
//	FuzzPlans       the state machine: every command on every plan, on whichever version
//	FuzzChangesets  starting, recording into, finishing and listing changesets
//	FuzzDeletions   deleting plans and actions, and archiving plans that are finished
//	FuzzService     all of these, mixed, in memory
//	FuzzDatabase    the same on one SQLite file, through two services with engines and caches of their own
//	FuzzName        parsing and normalising names
//	FuzzCard        reading cards: nothing but a whole one is accepted
//	FuzzOverlay     editing Go's own files for control: a changed one is refused, or gets every edit
//
// Their seeds are in the code and, where an input once showed something wrong, under testdata/fuzz; plain "go test" runs all of them.
// The go command fuzzes one target at a time:
//
//	go test ./fuzz -run '^$' -fuzz '^FuzzPlans$' -fuzztime 10s -fuzzminimizetime 5x
//
// (without the last option it spends most of its time minimizing inputs that are only new, not failing).
//
// # What it cannot do
//
// The model is as right as the documentation that it was written from.
package fuzz
