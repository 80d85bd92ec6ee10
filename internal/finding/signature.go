package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Signature names all failures of a package's tests that are the same bug: those of one
// kind and one cause. What a test says itself it says in words that another may use for
// something else, so those are of that test.
func Signature(pkg, test, kind, cause string) string {
	if kind != "race" && kind != "deadlock" && kind != "panic" && kind != "fatal" && kind != "leak" {
		pkg += "." + test
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", pkg, kind, cause))
	return hex.EncodeToString(sum[:6])
}

// A Ledger is what is known of failures, in a file.
type Ledger struct {
	Format   int      `json:"format"`
	Failures []Record `json:"failures"`
}

// A Record is what is known of the failures with one signature.
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

// A Sighting is when it was looked for, and at which commit.
type Sighting struct {
	Time   time.Time `json:"time"`
	Commit string    `json:"commit,omitempty"`
}

// Known is the state of a failure that was there when it was looked for last.
const Known = "known"

// Fixed says that no schedule with so many preemptions fails any more, or that none does
// at all if bound is nil.
func Fixed(bound *int) string {
	if bound == nil {
		return "fixed: exhausted"
	}
	return fmt.Sprintf("fixed at ≤ %d", *bound)
}

// Unseen says that so many schedules did not show it.
func Unseen(schedules int) string { return fmt.Sprintf("not seen in %d", schedules) }

// Open reports whether the failure is to be expected: it is there, or nobody has shown
// that it is not.
func (r *Record) Open() bool { return len(r.State) < 5 || r.State[:5] != "fixed" }
