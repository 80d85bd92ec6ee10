// Package sctbench has the programs of SCTBench and ConVul that RFF was measured on
// (Wolff and others: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024), rewritten
// in Go from their descriptions: goroutines for threads, atomic variables where
// the bug is in an order and not in the data race. They assert what the originals
// assert. Each can fail, and a test shows that.
package sctbench
