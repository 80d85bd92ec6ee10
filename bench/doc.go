// Package bench is the root of a module of its own, for what only measures: what it
// needs is a dependency of nobody who uses the packages that it measures. One
// command, cmd/bench, runs it all and writes the pages in docs and the tables of
// BENCHMARKS.md. Its folders:
//
//   - flakes: bugs of public modules, before their repair and after it;
//   - goker: the bugs of GoBench's kernels;
//   - strategies: how many schedules each strategy needs to find known bugs;
//   - sctbench: the programs of SCTBench and ConVul, for the same;
//   - speed: what steps of an exploration, the plan service and caches cost;
//   - peers: the cache and the libraries that it is compared with behind one interface;
//   - guarantees: what each of them guarantees, found out by running it;
//   - explored: the cache's guarantees in every schedule that an explorer chooses,
//     and races in the libraries;
//   - mutations: the cache, the plan service and the explorer, broken a line at a time;
//   - measure, figures: what they have in common.
//
// This package itself only knows where the command is, and which versions of the
// libraries the module asks for.
package bench

// Program is the package of the command, which some measurements build under control
// and run again.
const Program = "github.com/jacquard-go/jacquard/bench/cmd/bench"
