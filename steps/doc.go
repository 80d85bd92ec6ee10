// Package steps binds the features to the documented races: it is what runs
// the folder features, under Godog.
//
// Every documented race is one scenario outline, and a row of its examples is
// one column of the catalogue: as reported, as suggested, ours. The steps only
// translate. A Given says whose code it is, a When puts the cell under the
// explorer (package races/explored), and the Then asserts that it holds. Whether
// that must fail is said by the tags of the row, whose meaning is in package
// steps/tdd. An exploration that concludes nothing, or whose set-up fails, fails
// the When, and no tag inverts that.
//
// # Running
//
// Plain go test ./steps/... does it: TestFeatures builds itself under control,
// runs itself there and reports that run's result. Two variables choose what
// and how:
//
//	JACQUARD_FEATURES_FORMAT=pretty go test -v -run TestFeatures ./steps
//	JACQUARD_FEATURES_TAGS='@tdd_issue_7120' go test -v -run TestFeatures ./steps
//
// The result is cached by the go command as that of any test. The cache knows
// the features, because they are read and their tags checked before anything is
// built.
//
// # Concurrency
//
// Explorations of one process run one after the other, because there is one
// runtime to control. So each has a process of its own, a copy of the controlled
// test program, and the scenarios that wait for them run side by side, one for
// each processor; see [Processes]. A cell that hangs or crashes its process
// fails its scenario and no other. With the pretty format scenarios run in order.
//
// # What this package cannot do
//
// "In many orders" is not in all: what a scenario tries is what jacquard races
// tries with seed 1, and that command says how far a cell was exhausted; the
// log of a scenario does too. Nothing imports this package.
package steps
