// Package trial is the part of package goker that runs in a process under control: it
// looks for the bug of one GoKer kernel with several seeds, and replays what it has found.
//
// A process does one [Job], because a kernel leaves goroutines behind. It reads
// the job from its standard input and writes the answer to its standard output,
// both as JSON.
package trial
