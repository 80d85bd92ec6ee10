// Package tdd gives Godog the tags of issue captures, scenarios that show a
// reported bug:
//
//   - @tdd_issue: this is a capture. It stays for ever.
//   - @tdd_issue_N: the capture is of report N. It stays for ever.
//   - @tdd_expected_fail: the bug is still there. The scenario is inverted: it
//     passes if its assertion fails, and fails if its assertion holds, with a
//     message that says which tag to remove.
//
// [Check] refuses wrong combinations before anything runs; [Hooks] and [Then] invert the result.
//
// # What is inverted
//
// Only a failed assertion is inverted: an error made by [Failf] that a step registered with [Then]
// returns. A scenario tagged @tdd_expected_fail fails like any other if a hook or another step
// fails, if a step is undefined, ambiguous or pending or panics, if the scenario's context is done,
// if anything fails through godog.T, or if an assertion fails together with something else. Such a
// scenario was never judged, and inverting it would let a broken one pass for a captured bug. A
// skipped scenario stays skipped: it was not judged either, and Godog's summary says so.
//
// # How
//
// Godog's hooks can add an error to a scenario but cannot remove one. So the failure is removed
// where it arises: the step that [Then] registers records it and returns no error. The steps after
// it are skipped, as after any failure, so undefined ones are still found. A hook after the
// scenario adds an error if no assertion has failed.
//
// # What it cannot do
//
// Godog's formatters do not print an error that comes after a skipped step, though it fails the
// suite. With godog.Options.TestingT the scenario's test reports it.
//
// Package tdd needs godog.Options.Strict: without it Godog does not count an undefined or pending
// step as a failure, here or anywhere. A scenario without steps is never run, so only the suite's
// status reports it: check the result of godog.TestSuite.Run, also with Options.TestingT.
package tdd
