// Package stress runs the documented races without control: as many goroutines as the machine can run at once, started at one
// moment, again and again for a set time, under the race detector if the program was built with it. Reach for it after the explorer:
// it tries what the explorer leaves out (true parallelism, weak memory, real files and clocks, workloads of many goroutines), and it shows how
// seldom plain running meets a race that the explorer finds in a few schedules.
//
// [Run] runs one campaign after the other, each in a process of its own, so that a crash, a fatal error of the runtime or a deadlock
// is a [Finding] and not the end of the run:
//
//   - for every race and related race, its body against package lifecycle ("ours"), which is the one the explorer runs;
//   - for R1 to R7, one or two workloads against package lifecycle: some ten to twenty goroutines, on one or two services, whose
//     operations are counted, and the counts must come out exactly;
//   - litmus tests, small ones of the service and of the cache, whose outcomes are counted: each is acceptable, interesting, because it
//     shows that the goroutines met, or forbidden;
//   - for every race and related race, its body against each specimen, the code as reported and as suggested.
//
// A campaign goes on after a finding, and a specimen's after a crash: how often something is met says more than that it was. A data race
// is another question than what a report tells of, and is told apart from it. Now and then the runtime is shaken, as the seed says:
// more processors or fewer, forced collections, memory given back.
//
// What comes of ours decides whether the report is clean. What comes of a specimen says how much that means: ours was tried often enough
// if it was tried ten times as often as the specimen as reported needed, in this run or, if that has not met it, in earlier ones.
//
// Campaigns can be dealt out to shards, which know nothing of each other, and their reports be put together by [Merge]. A run that was
// killed goes on from its [Config.State]. [Nights] is the ledger of earlier runs, by which [Report.Weigh] knows what a specimen needs that
// this run has not met.
//
// # Children
//
// The process that calls Run starts its children with [Config.Command], writes one job to each on its standard input, and expects one
// result on its standard output; [Work] is the child's side. Every child has a bound: it gives up on a round that does not end, and
// is killed if it does not answer.
//
// # What it cannot do
//
// It proves nothing. A campaign without findings says how many rounds went well, and no more. The seed decides how the rounds are laid
// out (which operations, which delays), not how they interleave: a finding cannot be replayed, only searched for with the explorer.
package stress
