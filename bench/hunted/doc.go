// Package hunted measures how many schedules jacquard hunt needs for a failure of which it
// has only the log of go test, beside those that a search without it needs: on tests that
// are written for this, with the logs that go test writes where their bug shows.
//
// The logs were written from a failing schedule of each: it has the stacks, and the message,
// that go test prints.
package hunted
