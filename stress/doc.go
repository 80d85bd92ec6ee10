// Package stress runs the documented races without control: as many goroutines as the machine can run at once, started at
// one moment, again and again for a set time, under the race detector if the program was built with it. Use it after the
// explorer: it tries what the explorer leaves out (true parallelism, weak memory, real files and clocks, many
// goroutines), and it shows how rarely plain running meets a race that the explorer finds in a few schedules.
//
// [Run] runs the campaigns in turn, each in its own process, so that a crash, a fatal error of the runtime or a deadlock
// is a [Finding] and does not end the run:
//
//   - for every race and related race, its body against package lifecycle ("ours"), which is the one the explorer runs;
//   - for R1 to R7, one or two workloads against package lifecycle: some ten to twenty goroutines, on one or two services, whose
//     operations are counted, and the counts must come out exactly;
//   - litmus tests, small ones of the service and of the cache, whose outcomes are counted: each is acceptable, interesting, because it
//     shows that the goroutines met, or forbidden;
//   - for every race and related race, its body against each specimen, the code as reported and as suggested.
//
// A campaign continues after a finding, and a specimen's after a crash, because the frequency says more than a single
// occurrence. A data race is a different symptom from the reported one, and is counted apart from it. From time to time
// the runtime is shaken, as the seed says: more or fewer processors, forced collections, memory given back.
//
// The results of ours decide whether the report is clean. Those of a specimen say how much that means: ours was tried often enough
// if it was tried ten times as often as the specimen as reported needed, in this run or, if it was not met, in earlier ones.
//
// Campaigns can be divided among shards, which run independently; [Merge] combines their reports. A run that was killed
// continues from its [Config.State]. [Nights] is the ledger of earlier runs, from which [Report.Weigh] takes the rounds
// that a specimen needs if this run has not met its race.
//
// # Children
//
// The process that calls Run starts its children with [Config.Command], writes one job to each on its standard input, and
// reads one result from its standard output; [Work] is the child's side. Every child has a time limit: it gives up on a
// round that does not end, and is killed if it does not answer.
//
// # What it cannot do
//
// It proves nothing. A campaign without findings says how many rounds went well, and no more. The seed decides the layout of
// the rounds (operations, delays), not their interleaving: a finding cannot be replayed, only searched for with the explorer.
package stress
