// Package cilog reads the output of a run of go test in which a test failed: its text or
// its JSON, also as gotestsum or a CI system reproduces it. It finds the tests that failed,
// and those properties of their failures that are the same whenever they happen.
package cilog
