// Package fuzz has native fuzz targets for package lifecycle, which compare with the sequential model of package lifecycle/model, and
// for the explorer's cards. Reach for it to look for wrong behaviour of one caller at a time; what several callers do to each
// other is the explorer's to find, and package stress's.
//
// A target reads its input, bytes, as a [Tape]: a sequence of operations with their arguments. It does each one to the service and to
// the model, and compares what they return, the kind of the error, and then everything that can be read. The targets are
//
//	FuzzEngines     which engine a URL gets, until the engines are closed
//	FuzzActions     creating, using and archiving actions, and all that is refused
//	FuzzArgument    declaring one argument and giving it one value
//	FuzzPlans       the state machine: every command on every plan, on whichever version
//	FuzzChangesets  starting, recording into, finishing and listing changesets
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
// (without the last option it spends most of its time making inputs shorter that are only new, not wrong)
// and lists the targets, for a loop over all, with
//
//	go test -list '^Fuzz' ./fuzz
//
// # What it cannot do
//
// The model is as right as the documentation that it was written from.
package fuzz
