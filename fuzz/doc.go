// Package fuzz has native fuzz targets. An input of most of them is a program (which operations, by which tasks, with which arguments) and
// its schedule, which Go's fuzzer changes and shortens together: see explore.FuzzProgram. Reach for it to find what nobody has thought of.
//
//	FuzzR1Reported … FuzzN10Ours  programs on the subjects of each documented race, a target for each cell of the catalogue
//	FuzzCache                     programs of three callers on one key of a cache
//	FuzzMemory                    programs on a plan service in memory, which has all that those have, and the uses of actions
//	FuzzClaims                    programs of two workers who claim one plan on a SQLite file
//	FuzzMemoryClaims              the same on one service in memory
//
// A specimen is there to be found. What was found in one is kept under testdata/fuzz, small and named for what it shows; plain go test
// replays all of it under control and fails if a specimen holds where it did not. What must hold is judged by models that say in a few
// words what the report asks for; none of them asks the code under test. "make fuzz" runs all targets from an empty corpus and ends in
// a table.
//
// # One caller
//
// The other targets compare package lifecycle with the sequential model of package lifecycle/model, one call after the other, or read
// names, arguments and cards.
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
//
// Their seeds are in the code and, where an input once showed something wrong, under testdata/fuzz; plain "go test" runs all of them.
// The go command fuzzes one target at a time:
//
//	go test ./fuzz -run '^$' -fuzz '^FuzzPlans$' -fuzztime 10s -fuzzminimizetime 5x
//
// (without the last option it spends most of its time making inputs shorter that are only new, not wrong).
//
// # What it cannot do
//
// The model is as right as the documentation that it was written from.
package fuzz
