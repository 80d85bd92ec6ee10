// Package report tells of a failed execution: it records what happened as rows, finds
// what they worked on and why it went wrong, and makes a timeline of them.
package report
