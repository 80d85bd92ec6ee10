package soak

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress/soak/lines"
)

// line is one line of a journal: exactly one field is set.
type line struct {
	Call   *call   `json:"call,omitempty"`
	Return *answer `json:"return,omitempty"`
	Stats  *counts `json:"stats,omitempty"` // the counts so far
}

// counts are the counters of a process.
type counts struct {
	lifecycle.Stats       // of its service
	Jumps           int64 `json:",omitempty"` // of its clock
}

// journal is the history of one life of a process; see package lines. A call is written before it is made, and an answer when it is
// known. A torn call was not made, and a torn answer leaves a call whose outcome is not known.
//
// It is safe for concurrent use.
type journal struct{ file *os.File }

func journalName(dir string, l life) string {
	return filepath.Join(dir, fmt.Sprintf("process-%s.jsonl", l))
}

func createJournal(dir string, l life) (*journal, error) {
	f, err := lines.Create(journalName(dir, l))
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	return &journal{f}, nil
}

func (j *journal) write(l line) error {
	if err := lines.Write(j.file, l); err != nil {
		return fmt.Errorf("soak: %w", err)
	}
	return nil
}

func (j *journal) close() error { return j.file.Close() }

// operation is a call with what came of it.
type operation struct {
	life
	call
	answer answer
	turn   int // from 1, of uses of one action that were pending and have taken effect, by call; 0 for all others
}

// label is what the operation's effects carry.
func (o *operation) label() string { return o.life.label(o.Number) }

// readJournal returns the operations of a life and the last counts of its service. Calls without an answer are pending, and return
// never.
func readJournal(dir string, l life) (all []*operation, stats counts, err error) {
	open, known := make(map[int64]*operation), make(texts)
	err = lines.Read(journalName(dir, l), func(entry *line) error {
		entry.share(known)
		switch {
		case entry.Call != nil:
			o := &operation{life: l, call: *entry.Call, answer: answer{Number: entry.Call.Number, At: never, Outcome: CutOff}}
			open[o.Number] = o
			all = append(all, o)
		case entry.Return != nil:
			o := open[entry.Return.Number]
			if o == nil {
				return fmt.Errorf("an answer to call %d, which was not made or is answered", entry.Return.Number)
			}
			o.answer = *entry.Return
			delete(open, o.Number)
			if o.answer.Outcome.pending() {
				o.answer.At = never
			}
		case entry.Stats != nil:
			stats = *entry.Stats
		}
		return nil
	})
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, stats, nil // killed before it came to write
	case err != nil:
		return nil, stats, fmt.Errorf("soak: %w", err)
	}
	return all, stats, nil
}

// texts holds each text that a journal repeats once: an identifier is in some hundred lines.
type texts map[string]string

func (t texts) one(s *string) {
	if known, ok := t[*s]; ok {
		*s = known
	} else {
		t[*s] = *s
	}
}

// share has a line hold the texts of those before it.
func (l line) share(t texts) {
	if c := l.Call; c != nil {
		t.one(&c.Subject)
		t.one(&c.Changeset)
	}
	if a := l.Return; a != nil {
		t.one(&a.ID)
		t.one(&a.Found)
		if a.Plan != nil {
			a.Plan.share(t)
		}
		for i := range a.Plans {
			a.Plans[i].share(t)
		}
		for i := range a.Changesets {
			t.one(&a.Changesets[i].ID)
			for j := range a.Changesets[i].Entries {
				t.one(&a.Changesets[i].Entries[j])
			}
		}
	}
}

func (v *planView) share(t texts) {
	for _, s := range []*string{&v.ID, &v.Label, &v.Action, &v.At, &v.Message, &v.Changeset} {
		t.one(s)
	}
}

// never is the return of a call that has not returned.
const never int64 = 1<<63 - 1
