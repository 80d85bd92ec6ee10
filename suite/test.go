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
	discovered protocol.Event // of its one schedule under the discovery run
	ended      bool           // the discovery run came to its end
	died       string         // how the process that ran it ended, if it ended before the test
	words      string         // the last words of the process, if it died exploring
	once       string         // of a schedule that failed, and did not again in a process of its own

	result  *protocol.Event  // of the exploration; nil if there was none
	before  bool             // an earlier run has explored it wholly
	whole   bool             // exploring it came to its end before its time did
	took    time.Duration    // real time, in all
	first   protocol.Event   // a failure as it was found; Found says whether there was one
	reduced *protocol.Event  // all of it, once it was reduced; nil before that
	beside  []protocol.Event // others that were found after it

	cut       bool // there was no time for the rest of its first schedule
	pending   bool // it is being explored; guarded by the teller
	announced bool // that it fails; likewise
	notes     []note

	pass []protocol.Cause // failures that are known, and do not count
	met  []protocol.Event // those of them that were met, each once
}

// A note is a line that is to be said of a test.
type note struct {
	line string
	old  bool // it was said before: only those hear it again who are told of all tests
}

// concurrent reports whether there are schedules to choose from.
func (t *test) concurrent() bool { return t.discovered.Concurrent }

// explorable reports whether there is something to explore in it, even if it failed
// under the discovery run: exploring finds a card for that.
func (t *test) explorable() bool { return t.ended && t.concurrent() && !t.discovered.Exhausted }

// last is what is to be told of it: a failure, or else what was said last. One that nobody
// has tried again in the discovery run was tried in the exploration.
func (t *test) last() protocol.Event {
	if t.result == nil || t.discovered.Verdict == violated && t.result.Verdict != violated && !t.discovered.Found {
		return t.discovered
	}
	return *t.result
}

// violates reports whether it has failed, in a way that counts or not.
func (t *test) violates() bool { return t.died != "" || t.last().Verdict == violated }

// failed reports whether it has failed in a way that was not known.
func (t *test) failed() bool { return t.violates() && (t.died != "" || !t.excuses(t.last())) }

// excuses reports whether a failure is known.
func (t *test) excuses(e protocol.Event) bool {
	found := protocol.Cause{Kind: e.Kind, Cause: e.Cause}
	return e.Cause != "" && slices.ContainsFunc(t.pass, func(c protocol.Cause) bool { return c.Is(found) })
}

// known are the failures that were met and are known.
func (t *test) known() []protocol.Event {
	if e := t.last(); t.died == "" && e.Verdict == violated && t.excuses(e) {
		return union(t.met, e)
	}
	return t.met
}

// meets takes note of a failure that is known.
func (t *test) meets(e protocol.Event) {
	t.met = union(t.met, e)
}

// union is failures with another one, if it is another one. Of one that is there already
// the card counts that is known.
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

// word is what package testing would call the outcome of a test that did not fail.
// Nobody can say of what came to no end that it passed or failed.
func (t *test) word() string {
	if t.discovered.Skipped || t.last().Verdict != holds || len(t.known()) > 0 {
		return "SKIP"
	}
	return "PASS"
}

// unknown is why exploring it says nothing, or why its first schedule did if there was no
// more; "" if that was only one of several.
func (t *test) unknown() string {
	switch {
	case t.result != nil && t.result.Verdict == unknown:
		return t.last().Reason
	case t.result == nil && t.discovered.Verdict == unknown && !(t.explorable() && strings.HasPrefix(t.discovered.Reason, unexplored)):
		return t.discovered.Reason
	}
	return ""
}

// failedOnce reports whether a schedule of it has failed and did not fail again, and
// nothing else says so.
func (t *test) failedOnce() bool { return t.once != "" && !t.failed() && t.unknown() == "" }

// The verdicts as they travel, and the kind of failure that a test finds itself;
// see explore.Verdict and explore.Kind.
const (
	holds    = "holds"
	violated = "violated"
	unknown  = "unknown"
	check    = "check"
	race     = "race"
	gone     = "no longer fails" // see explore.Outcome

	unexplored = "not explored"    // begins the reason where that is all that the first schedule says
	others     = "other processes" // were started; see explore.Result.Outside
)
