// Package canary plants small programs with known verdicts, to test the instrument that judges the documented races: if
// one canary gets a wrong verdict, no other verdict of that run counts.
//
// There is one for each kind of violation that a runner distinguishes, except livelock, and some corrected versions, in
// which nothing must be found.
//
// The bugs are the purpose of the package. Run plainly, several of the canaries hang or end the process.
package canary
