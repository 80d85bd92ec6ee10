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
	died   string         // how the process ended that ran it, if that was meanwhile
	words  string         // the last words of the process, if it died exploring

	result *protocol.Event // of the exploration; nil if there was none
	before bool            // an earlier run has explored it wholly
	took   time.Duration   // real time, in all
}

// concurrent reports whether there are schedules to choose from.
func (t *test) concurrent() bool { return t.survey.Concurrent }

// explorable reports whether there is something to explore in it.
func (t *test) explorable() bool {
	return t.ended && t.concurrent() && t.survey.Verdict == holds && !t.survey.Exhausted
}

// last is what was said of it last.
func (t *test) last() protocol.Event {
	if t.result != nil {
		return *t.result
	}
	return t.survey
}

func (t *test) failed() bool { return t.died != "" || t.last().Verdict == violated }

// unknown is why nothing can be said of the test; "" if something can.
func (t *test) unknown() string {
	if e := t.last(); t.died == "" && e.Verdict == unknown {
		return e.Reason
	}
	return ""
}

// The verdicts as they travel; see explore.Verdict.
const (
	holds    = "holds"
	violated = "violated"
	unknown  = "unknown"
)
