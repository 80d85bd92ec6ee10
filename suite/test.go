package suite

import (
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A test is a top-level test, example or fuzz target, and what is known of it.
type test struct {
	name   string
	survey protocol.Event // of its one schedule under the survey
	ended  bool           // the survey came to its end
	died   string         // how the process that ran it ended, if it ended before the test
	words  string         // the last words of the process, if it died exploring

	result *protocol.Event // of the exploration; nil if there was none
	before bool            // an earlier run has explored it wholly
	took   time.Duration   // real time, in all
	notes  []note
}

// A note is a line that is to be said of a test.
type note struct {
	line string
	old  bool // it was said before: only those hear it again who are told of all tests
}

// concurrent reports whether there are schedules to choose from.
func (t *test) concurrent() bool { return t.survey.Concurrent }

// explorable reports whether there is something to explore in it, even if it failed
// under the survey: exploring finds a card for that.
func (t *test) explorable() bool { return t.ended && t.concurrent() && !t.survey.Exhausted }

// last is what is to be told of it: a failure, or else what was said last.
func (t *test) last() protocol.Event {
	if t.result == nil || t.survey.Verdict == violated && t.result.Verdict != violated {
		return t.survey
	}
	return *t.result
}

func (t *test) failed() bool { return t.died != "" || t.last().Verdict == violated }

// word is what package testing would call the outcome of a test that did not fail.
// Nobody can say of what came to no end that it passed or failed.
func (t *test) word() string {
	if t.survey.Skipped || t.last().Verdict != holds {
		return "SKIP"
	}
	return "PASS"
}

// unknown is why exploring it says nothing; "" if it does, or was not tried.
func (t *test) unknown() string {
	switch {
	case t.result != nil && t.result.Verdict == unknown:
		return t.last().Reason
	case t.result == nil && !t.explorable() && t.survey.Verdict == unknown:
		return t.survey.Reason
	}
	return ""
}

// The verdicts as they travel, and the kind of failure that a test finds itself;
// see explore.Verdict and explore.Kind.
const (
	holds    = "holds"
	violated = "violated"
	unknown  = "unknown"
	check    = "check"
	gone     = "no longer fails" // see explore.Outcome
	others   = "other processes" // were started; see explore.Result.Outside
)
