// Package bench is the root of a module of its own, for packages that only measure: so
// users of the measured packages do not get its dependencies. One
// command, cmd/bench, runs everything and writes the pages in docs and the tables of
// BENCHMARKS.md. Its folders:
//
//   - flakes: bugs of public modules, before and after their repair;
//   - goker: the bugs of GoBench's kernels;
//   - strategies: how many schedules each strategy needs to find known bugs;
//   - sctbench: the programs of SCTBench and ConVul, for the same;
//   - speed: what steps of an exploration, the plan service and caches cost;
//   - peers: the cache, and the libraries that it is compared with, behind one interface;
//   - guarantees: what each of them guarantees, determined by running it;
//   - explored: the cache's guarantees in every schedule that an explorer chooses,
//     and races in the libraries;
//   - hunted: how many schedules jacquard hunt needs with the log of go test, and without;
//   - mutations: the cache, the plan service and the explorer, broken a line at a time;
//   - measure, figures: what the others have in common.
//
// This package itself only has the path of the command, and the versions of the
// libraries that the module requires.
package bench

// Program is the package of the command. Some measurements build it under control and
// run it again.
const Program = "github.com/jacquard-go/jacquard/bench/cmd/bench"
