// Package report explains failed executions: it records them as rows, finds the objects that they
// worked on and the cause of the failure, and draws a timeline.
package report
