// Package sctbench has the programs of SCTBench and ConVul that RFF was measured on (Wolff
// and others: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024). They are rewritten in
// Go from their descriptions, with goroutines for threads, and with atomic variables where
// the bug is an order and not a data race. They assert what the originals assert. A test
// shows that each can fail.
package sctbench
