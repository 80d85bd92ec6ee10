// Package tdd gives Godog the tags of issue captures, scenarios that show a
// reported bug:
//
//   - @tdd_issue: this is a capture. It stays for ever.
//   - @tdd_issue_N: of report N. It stays for ever.
//   - @tdd_expected_fail: the bug is still there. The scenario is inverted: it
//     passes if its assertion fails, and fails if its assertion holds, with a
//     message that says which tag to remove.
//
// [Check] refuses wrong combinations before anything runs; [Hooks] and [Then]
// invert.
//
// # What is inverted
//
// Only a failed assertion: an error made by [Failf] that a step registered with
// [Then] returns. A scenario tagged @tdd_expected_fail fails like any other if a
// hook or another step fails, if a step is undefined, ambiguous or pending or
// panics, if the scenario's context is over, if anything fails through
// godog.T, or if an assertion fails together with something else. Such a
// scenario was never judged, and a broken one would else pass for a captured
// bug. One that is skipped stays skipped: it was not judged either, and Godog's
// summary says so.
//
// # How
//
// Godog's hooks can add an error to a scenario and cannot take one away. So the
// failure is taken away where it arises: what [Then] registers notes it and
// returns no error. The steps after it are skipped, as after any failure, which
// still finds those that are undefined. A hook after the scenario adds the error
// of one that has not failed.
//
// # What it cannot do
//
// Godog's formatters do not print what goes wrong after a skipped step, though
// it fails the suite. With godog.Options.TestingT the scenario's test says it.
//
// It wants godog.Options.Strict: without it Godog does not count an undefined
// or pending step as a failure, here or anywhere. A scenario without steps is
// never run, so only the suite's status tells of it: check what
// godog.TestSuite.Run returns, also with Options.TestingT.
package tdd
