package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Signature identifies the failures of a package's tests that are the same bug: those of one kind
// and cause. A check's message comes from the test, and another test may use the same words for
// something else, so the signature then includes the test.
func Signature(pkg, test, kind, cause string) string {
	if kind != "race" && kind != "deadlock" && kind != "panic" && kind != "fatal" && kind != "leak" {
		pkg += "." + test
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", pkg, kind, cause))
	return hex.EncodeToString(sum[:6])
}

// A Ledger holds what is known of failures, in a file.
type Ledger struct {
	Format   int      `json:"format"`
	Failures []Record `json:"failures"`
}

// A Record holds what is known of the failures with one signature.
type Record struct {
	Signature string   `json:"signature"`
	State     string   `json:"state"`
	Subject   string   `json:"subject"`
	Kind      string   `json:"kind"`
	Cause     string   `json:"cause"`
	Message   string   `json:"message"`
	Sites     []string `json:"sites,omitempty"`
	Blame     string   `json:"blame,omitempty"`
	Evidence  string   `json:"evidence,omitempty"`
	First     Sighting `json:"first"`
	Last      Sighting `json:"last"`
	Runs      int      `json:"runs"`
	Checked   Sighting `json:"checked,omitzero"`
	Card      string   `json:"card,omitempty"`
	Flags     []string `json:"flags,omitempty"`
}

// A Sighting is a time and a commit at which a failure was met or looked for.
type Sighting struct {
	Time   time.Time `json:"time"`
	Commit string    `json:"commit,omitempty"`
}

// Known is the state of a failure that was met when it was last looked for.
const Known = "known"

// Fixed is the state of a failure without a failing schedule of at most bound preemptions, or
// without any if bound is nil.
func Fixed(bound *int) string {
	if bound == nil {
		return "fixed: exhausted"
	}
	return fmt.Sprintf("fixed at ≤ %d", *bound)
}

// Unseen is the state of a failure that this many schedules did not show.
func Unseen(schedules int) string { return fmt.Sprintf("not seen in %d", schedules) }

// Open reports whether the failure is still to be expected: it was met, or has not been shown to be
// fixed.
func (r *Record) Open() bool { return len(r.State) < 5 || r.State[:5] != "fixed" }
