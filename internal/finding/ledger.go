package finding

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// ErrLedger is wrapped by the errors about an unusable ledger file.
var ErrLedger = errors.New("no ledger of failures")

// Read reads a file of failures.
func Read(file string) (l Ledger, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrLedger, err)
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return l, fmt.Errorf("%w: %s: %w", ErrLedger, file, err)
	}
	if l.Format != Format {
		return l, fmt.Errorf("%w: %s: format: got %d, want %d", ErrLedger, file, l.Format, Format)
	}
	return l, nil
}

// Text returns the form of a ledger in a file.
func (l Ledger) Text() ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(l)
	return text.Bytes(), err
}

// Find returns the record of a failure; nil if there is none.
func Find(all []Record, signature string) *Record {
	i := slices.IndexFunc(all, func(r Record) bool { return r.Signature == signature })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Add updates a ledger after a run: met are the failures that it met, checked the others, with the
// state that follows for them.
func (l *Ledger) Add(met, checked []Record) {
	l.Format = Format
	for _, r := range met {
		old := Find(l.Failures, r.Signature)
		if old == nil {
			l.Failures = append(l.Failures, r)
			continue
		}
		again := old.Last != r.Last
		old.State, old.Last, old.Message, old.Checked = r.State, r.Last, r.Message, Sighting{}
		if again {
			old.Runs++
		}
		if r.Card != "" {
			old.Subject, old.Card, old.Flags, old.Sites = r.Subject, r.Card, r.Flags, r.Sites
			if r.Blame != timeline.Undecided || old.Blame == "" { // less is known of a schedule that was only replayed
				old.Blame, old.Evidence = r.Blame, r.Evidence
			}
		}
	}
	for _, r := range checked {
		if old := Find(l.Failures, r.Signature); old != nil && Find(met, r.Signature) == nil && !stronger(old.State, r.State) {
			old.State, old.Checked = r.State, r.Checked
		}
	}
	l.sort()
}

// Merge adds the failures of another ledger, such as that of another shard, which began with the
// same one: of each failure the newer record counts.
func (l *Ledger) Merge(other Ledger) {
	l.Format = Format
	for _, r := range other.Failures {
		old := Find(l.Failures, r.Signature)
		if old == nil {
			l.Failures = append(l.Failures, r)
			continue
		}
		first := old.First
		if r.First.Time.Before(first.Time) {
			first = r.First
		}
		if n := r.newest().Compare(old.newest()); n > 0 || n == 0 && !old.Open() {
			*old = r
		}
		old.First = first
	}
	l.sort()
}

// newest returns when the record last changed.
func (r *Record) newest() time.Time {
	if r.Checked.Time.After(r.Last.Time) {
		return r.Checked.Time
	}
	return r.Last.Time
}

func (l *Ledger) sort() {
	slices.SortFunc(l.Failures, func(a, b Record) int {
		return cmp.Or(strings.Compare(a.Subject, b.Subject), strings.Compare(a.Signature, b.Signature))
	})
}

// stronger reports whether a state proves more than another: a failure shown to be fixed stays
// fixed until it is met again.
func stronger(a, b string) bool {
	rank := func(state string) int {
		switch {
		case state == Fixed(nil):
			return 2
		case strings.HasPrefix(state, "fixed"):
			return 1
		}
		return 0
	}
	return rank(a) > rank(b)
}
