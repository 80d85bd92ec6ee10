// Package canary plants small programs whose verdict is known beforehand, so that the instrument which judges the documented races is
// judged first: if one canary gets another verdict than its own, then no other verdict of that run counts.
//
// There is one for each kind of violation that a runner tells apart, but for livelock, and beside those that must be caught there
// is the same program put right, which must not be.
//
// The bugs are the purpose of the package. Run plainly, several of the canaries hang or end the process.
package canary
