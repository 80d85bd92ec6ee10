// Package finding defines the JSON object with which all commands report the result of a test, a
// replay or a race. docs/json.md describes it for users.
package finding

import (
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// Format is the version of the object: it grows when a field is removed or changes its meaning, but
// not when one is added.
const Format = 1

// A Finding is the result of one subject.
type Finding struct {
	Format  int    `json:"format"`
	Subject string `json:"subject,omitempty"`

	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Message string `json:"message,omitempty"`
	// Signature is the same for all failures that are the same bug: see [Signature].
	Signature string   `json:"signature,omitempty"`
	Cause     string   `json:"cause,omitempty"`
	Sites     []string `json:"sites,omitempty"`
	// Blame says whose bug it is, as in package timeline, and Evidence why, in a sentence.
	Blame    string `json:"blame,omitempty"`
	Evidence string `json:"evidence,omitempty"`
	Known    bool   `json:"known,omitempty"`
	State    string `json:"state,omitempty"`
	Replayed string `json:"replayed,omitempty"`

	Strategy    string `json:"strategy,omitempty"`
	Schedule    int    `json:"schedule,omitempty"`
	Preemptions int    `json:"preemptions"`
	Steps       int    `json:"steps"`
	Found       int    `json:"found"`
	FoundSteps  int    `json:"foundSteps"`
	Minimal     bool   `json:"minimal"`
	Card        string `json:"card,omitempty"`
	FoundCard   string `json:"foundCard,omitempty"`
	Replay      string `json:"replay,omitempty"`

	Schedules  int      `json:"schedules"`
	Distinct   int      `json:"distinct"`
	Points     int      `json:"points"`
	Exhausted  bool     `json:"exhausted"`
	Bound      int      `json:"bound"`
	Searched   int      `json:"searched,omitempty"`
	Claim      string   `json:"claim,omitempty"`
	Unexplored string   `json:"unexplored,omitempty"`
	Outside    []string `json:"outside,omitempty"`
	Leaked     []string `json:"leaked,omitempty"`
	Races      []string `json:"races,omitempty"`
	Trusted    []string `json:"trusted,omitempty"`

	Covered *coverage.Report `json:"covered,omitempty"`

	Report string `json:"report,omitempty"`
}

// Judged returns Blame and Evidence in one line; "" without a failure.
func (f Finding) Judged() string { return timeline.Blame{Of: f.Blame, Why: f.Evidence}.String() }
