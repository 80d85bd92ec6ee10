// Package cilog reads what a run of go test has printed when a test failed: its text or
// its JSON, also as gotestsum or a CI system repeats it. It finds which tests failed, and
// what is the same of their failures whenever they happen.
package cilog
