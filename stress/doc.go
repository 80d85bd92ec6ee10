// Package stress runs the documented races without control: as many goroutines as the machine can run at once, started at one
// moment, again and again for a set time, under the race detector if the program was built with it. Reach for it after the explorer:
// it tries what the explorer leaves out (true parallelism, weak memory, real files and clocks, crowds of goroutines), and it shows how
// seldom plain running meets a race that the explorer finds in a few schedules.
//
// [Run] runs one campaign after the other, each in a process of its own, so that a crash, a fatal error of the runtime or a deadlock
// is a [Finding] and not the end of the run:
//
//   - for every race, its body against package lifecycle ("ours"), which is the one the explorer runs;
//   - for every race, one or two crowds against package lifecycle: some ten to twenty goroutines, on one or two services, whose
//     operations are counted, and the counts must come out exactly;
//   - for every race, its body against each specimen, the code as reported and as suggested.
//
// What comes of ours decides whether the report is clean. What comes of a specimen is information: to meet its race by plain running
// takes luck.
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
