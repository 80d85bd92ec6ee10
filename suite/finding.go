package suite

import (
	"encoding/json"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Finding returns an event as all commands print it as JSON. It leaves out the report, which is
// printed as text.
func Finding(subject string, e protocol.Event) finding.Finding {
	f := finding.Finding{
		Format: finding.Format, Subject: subject, Verdict: e.Verdict, Reason: e.Reason, Kind: e.Kind, Message: e.Message, Cause: e.Cause, Sites: e.Sites, Blame: e.Blame, Evidence: e.Evidence, Replayed: e.Replayed,
		Strategy: e.Strategy, Schedule: e.Schedule, Preemptions: e.Preemptions, Steps: e.Steps, Found: e.FoundWith, FoundSteps: e.FoundSteps, Minimal: e.Minimal,
		Card: e.Card, Schedules: e.Schedules, Distinct: e.Distinct, Points: e.Points, Exhausted: e.Exhausted || e.Bound != nil,
		Claim: e.Claim, Unexplored: e.Unexplored, Outside: e.Outside, Leaked: e.Leaked,
	}
	if e.Verdict == violated && e.Blame == "" {
		f.Blame, f.Evidence = timeline.Undecided, "no schedule in which it fails was recorded"
	}
	if e.Bound != nil {
		f.Bound = *e.Bound
	}
	return f
}

// attribute returns the finding of a test in package testing's form for attributes; "" if there is
// nothing to report, or no JSON output.
func (r *run) attribute(t *test) string {
	if !r.cfg.JSON || !t.concurrent() && !t.violates() {
		return ""
	}
	text, err := json.Marshal(r.finding(t, t.last()))
	if err != nil {
		return "" // it can always be marshalled
	}
	return output.Attributed + t.name + " jacquard " + string(text) + "\n"
}
