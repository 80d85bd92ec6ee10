// Package steps lets a tester write what several callers do to the plan service,
// its engines or the cache, and what must hold then. It is what runs the folder
// features, under Godog.
//
// # Writing a scenario
//
// Steps compose. A Given says what there is (an engine cache, a plan service in
// memory or by several instances on one SQLite file, a cache), whose code it is
// (as reported, as suggested or ours, which is meant if nothing is said), and
// what is there already. A When says who does what:
//
//	Given a plan service in memory, as reported
//	When ten callers create the action "local/review-it" and another lists the actions
//	And after that one caller reads the action "local/review-it"
//	Then exactly one succeeds
//	And the others are told that the action already exists
//
// Everything that a scenario's Whens say happens at once, but for what one
// caller does "and then", for callers "one after the other", and for what is
// "after that". The instances are taken in turn, and "the second instance" is
// always the same. Any number of Thens may follow.
//
// The text is what runs: under the explorer, in many schedules. Where a caller
// is killed, each is a process on real cores, in rounds, and nothing can be
// replayed. A step that does not exist, and one that means nothing where the
// scenario takes place, is an error that names those that there are;
// -godog.definitions lists all. What is as reported or as suggested is the
// catalogue's (package races): two instances, and the calls that the report is
// about.
//
// Whether a scenario must fail is said by its tags, whose meaning is in package
// steps/tdd. A run that concludes nothing, or that cannot begin, is an error that
// no tag inverts.
//
// # Running
//
// Plain go test ./steps/... does it: TestFeatures builds itself under control,
// runs itself there and reports that run's result. It takes Godog's flags:
//
//	go test ./steps -run TestFeatures -v -godog.format=pretty
//	go test ./steps -run TestFeatures -godog.tags='@R4,@G8' -godog.random
//	go test ./steps -run TestFeatures -godog.format=junit:/tmp/features.xml -schedules 5000
//
// Undefined and pending steps always fail (strict), and where CI is set the order
// is random; the seed is told (with -v, or if something fails). "godog run" in the
// folder features says what to run instead. In junit and cucumber the names of
// scenarios that are expected to fail say so. What a scenario tries is limited in
// schedules, and never in time.
//
// # Concurrency
//
// Explorations of one process run one after the other, because there is one
// runtime to control. So each has a process of its own, a copy of the controlled
// test program, and the scenarios that wait for them run side by side, one for
// each processor; see [Processes]. A scenario that hangs or crashes its process
// fails and no other does. With the pretty format scenarios run in order.
//
// # What this package cannot do
//
// "Holds" means: in the schedules that were run. How far a race of the catalogue
// was exhausted is told by cmd/races. Nothing imports this package.
package steps
