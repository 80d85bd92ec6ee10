// Package hunted measures how many schedules jacquard hunt needs to find a failure when it
// has the log of go test, compared with a search without the log: on tests that
// were written for this, with the logs that go test prints when their bugs show.
//
// Each log was made from a failing schedule of its test, with the stacks and the message
// that go test prints.
package hunted
