package suite

import (
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A test is a top-level test, example or fuzz target, and what is known of it.
type test struct {
	name       string
	discovered protocol.Event // of its one schedule in the discovery run
	ended      bool           // its schedule in the discovery run ended
	died       string         // how its process ended, if that died in the test
	words      string         // the last output of the process, if it died exploring
	once       string         // about a schedule that failed, and did not again in a process of its own

	result  *protocol.Event  // of the exploration; nil if there was none
	before  bool             // an earlier run has explored it completely
	whole   bool             // its exploration is complete
	took    time.Duration    // real time, in total
	first   protocol.Event   // a failure as it was found; Found says whether there is one
	reduced *protocol.Event  // the complete event of the reduced failure; nil before
	beside  []protocol.Event // failures found after it

	left      time.Duration // of the budget when its first schedule began, of which it had a part
	cut       bool          // its first schedule ran out of that
	pending   bool          // it is being explored; guarded by the teller
	announced bool          // its failure was announced; guarded by the teller
	notes     []note

	pass []protocol.Cause // known failures, which do not count
	met  []protocol.Event // known failures that were met, each once
}

// A note is a line about a test.
type note struct {
	line string
	old  bool // reported before; repeated only where all tests are reported
}

// concurrent reports whether there are schedules to choose from.
func (t *test) concurrent() bool { return t.discovered.Concurrent }

// explorable reports whether there is something to explore, even if the test failed in the
// discovery run: exploring finds a card for the failure.
func (t *test) explorable() bool { return t.ended && t.concurrent() && !t.discovered.Exhausted }

// last returns the event to report: a failure, or else the latest one. A failure that the discovery
// run did not try again was tried in the exploration, and one that all schedules have may have been
// refuted there by a run without control. One that is known does not stand for what exploring has
// shown beyond it.
func (t *test) last() protocol.Event {
	if t.result == nil || t.discovered.Verdict == violated && t.result.Verdict != violated && !t.result.Refuted && !t.discovered.Found && !t.excuses(t.discovered) {
		return t.discovered
	}
	return *t.result
}

// violates reports whether it has failed, with a known failure or another one.
func (t *test) violates() bool { return t.died != "" || t.last().Verdict == violated }

// failed reports whether it has failed, and the failure is not known.
func (t *test) failed() bool { return t.violates() && (t.died != "" || !t.excuses(t.last())) }

// excuses reports whether a failure is known.
func (t *test) excuses(e protocol.Event) bool {
	found := protocol.Cause{Kind: e.Kind, Cause: e.Cause}
	return e.Cause != "" && slices.ContainsFunc(t.pass, func(c protocol.Cause) bool { return c.Is(found) })
}

// known returns the known failures that were met.
func (t *test) known() []protocol.Event {
	all := t.met
	for _, e := range []protocol.Event{t.discovered, t.last()} {
		if t.died == "" && e.Verdict == violated && t.excuses(e) {
			all = union(all, e)
		}
	}
	return all
}

// meets records a known failure.
func (t *test) meets(e protocol.Event) {
	t.met = union(t.met, e)
}

// union adds a failure, unless all has one with its cause. If that one has no card, the new one
// replaces it.
func union(all []protocol.Event, e protocol.Event) []protocol.Event {
	all = slices.Clone(all)
	i := slices.IndexFunc(all, func(m protocol.Event) bool { return m.Kind == e.Kind && m.Cause == e.Cause })
	switch {
	case i < 0:
		return append(all, e)
	case all[i].Card == "":
		all[i] = e
	}
	return all
}

// word returns package testing's word for a test that did not fail. A test without a verdict is
// SKIP, because it neither passed nor failed.
func (t *test) word() string {
	if t.discovered.Skipped || t.last().Verdict != holds || len(t.known()) > 0 {
		return "SKIP"
	}
	return "PASS"
}

// unknown returns why there is no verdict, from the exploration or, without one, from the first
// schedule; "" if that schedule was only one of several.
func (t *test) unknown() string {
	switch {
	case t.result != nil && t.result.Verdict == unknown:
		return t.last().Reason
	case t.result == nil && t.discovered.Verdict == unknown && !(t.explorable() && strings.HasPrefix(t.discovered.Reason, unexplored)):
		return t.discovered.Reason
	}
	return ""
}

// failedOnce reports whether one of its schedules has failed and did not fail again, and nothing
// else reports that.
func (t *test) failedOnce() bool { return t.once != "" && !t.failed() && t.unknown() == "" }

// The verdicts as the protocol encodes them, and kinds of failures; see explore.Verdict and
// explore.Kind.
const (
	holds    = "holds"
	violated = "violated"
	unknown  = "unknown"
	check    = "check"
	race     = "race"
	gone     = "no longer fails" // see explore.Outcome

	unexplored = "not explored"    // prefix of the reason if the first schedule says nothing more
	others     = "other processes" // it has started them; see explore.Result.Outside
)
