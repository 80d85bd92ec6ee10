// Package steps lets a tester write what several callers do to the plan service, its engines or the
// cache, and what must hold then. It runs the folder features, under Godog.
//
// # Writing a scenario
//
// Steps compose. A Given says what there is (an engine cache, a plan service in memory or as
// several instances on one SQLite file, a cache), which version of the code it is (as reported, as
// suggested, or ours, the default), and what exists at the start. A When says which callers do
// what:
//
//	Given a plan service in memory, as reported
//	When ten callers create the action "local/review-it" and another lists the actions
//	And after that one caller reads the action "local/review-it"
//	Then exactly one succeeds
//	And the others are told that the action already exists
//
// All Whens of a scenario happen at the same time, except that one caller makes its calls in order
// ("and then"), that callers may come "one after the other", and that a clause may begin "after
// that". New callers take the instances in turn; "the second instance" is always the same one. Any
// number of Thens may follow.
//
// The explorer runs this text, in many schedules. If a scenario kills a caller, each caller is a
// process on real cores, the scenario runs in rounds, and nothing can be replayed. A step that does
// not exist, or that means nothing in the scenario's place, is an error that lists the steps or
// calls that exist; -godog.definitions lists all steps. Scenarios as reported or as suggested run
// the subjects of the catalogue (package races): two instances, and the calls that the report is
// about.
//
// Tags say whether a scenario must fail; package steps/tdd defines them. A run that concludes
// nothing, or that cannot begin, is an error, which no tag inverts.
//
// # Running
//
// Plain go test ./steps/... runs the features: TestFeatures builds itself under control, runs
// itself there and reports that run's result. It takes Godog's flags:
//
//	go test ./steps -run TestFeatures -v -godog.format=pretty
//	go test ./steps -run TestFeatures -godog.tags='@R4,@G8' -godog.random
//	go test ./steps -run TestFeatures -godog.format=junit:/tmp/features.xml -schedules 5000
//
// Undefined and pending steps always fail (strict). If CI is set the order is random; the seed is
// printed (with -v, or if something fails). "godog run" in the folder features says what to run
// instead. In the formats junit and cucumber, the names of scenarios that are expected to fail say
// so. A scenario is limited in schedules, and never in time.
//
// # Concurrency
//
// A process can run only one exploration at a time, because it has one runtime to control. So each
// scenario has its own process, a copy of the controlled test program, and the scenarios that wait
// for them run side by side, one for each processor; see [Processes]. A scenario that hangs or
// crashes its process fails, and no other does. With the pretty format scenarios run in order.
//
// # What this package cannot do
//
// "Holds" means: in the schedules that were run. For how much of a race of the catalogue was
// explored, see cmd/races. Nothing imports this package.
package steps
