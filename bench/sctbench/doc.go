// Package sctbench has the programs of SCTBench and ConVul that RFF was measured on
// (Wolff and others: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024), written
// anew in Go from what is said of them: goroutines for threads, atomic variables where
// the bug is in an order and not in the data race. What they are judged by is what
// the original asserts. Each can fail, and its test has it fail.
package sctbench
