package guest

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// causeOf returns the cause of a failure, without numbers. A failure that needs a delayed goroutine
// has a different cause from one that does not.
func causeOf(f *verdict.Failure) string {
	cause := f.Cause
	if cause == "" {
		cause = engine.ClassOf(f.Message)
	}
	if f.Kind == engine.KindTiming {
		cause = string(f.Of) + ": " + cause
	}
	return cause
}

// mostSites bounds the places that are reported of a failure.
const mostSites = 6

// sitesOf returns the functions, with their files, of the steps that conflict in a failure. Lines
// are left out, because they change.
func sitesOf(t *timeline.Timeline) (sites []string) {
	for i := range t.Steps {
		s := &t.Steps[i]
		file, _, _ := strings.Cut(s.Where, ":")
		if s.Func == "" || !s.Mark.Has(timeline.Conflict) {
			continue
		}
		if site := s.Func + " " + filepath.Base(file); !slices.Contains(sites, site) && len(sites) < mostSites {
			sites = append(sites, site)
		}
	}
	slices.Sort(sites)
	return sites
}

// target returns the card whose failure is looked for; nil if there is none.
func (it *item) target() (*card.Card, error) {
	q := it.request
	if q.Card == "" || q.Mode != protocol.Explore && q.Mode != protocol.Discover {
		return nil, nil
	}
	return card.ParseCard(q.Card)
}

// same reports whether a failure is that of a card. If the card has only the kind, the kind
// decides.
func same(c *card.Card, found protocol.Cause) bool {
	found = untimed(found)
	return found.Kind == string(c.Kind) && (c.Cause == card.NameID(found.Cause) || c.Cause == card.NameID(""))
}

// pass returns the function that says which failures the search passes over; nil if none. It
// announces each of them once.
func (it *item) pass(target *card.Card) func(verdict.Failure) bool {
	q := it.request
	if q.Mode != protocol.Explore || q.Worker || len(q.Pass) == 0 && target == nil && q.Seek == nil {
		return nil
	}
	told := make(map[protocol.Cause]bool)
	return func(f verdict.Failure) bool {
		c := protocol.Cause{Kind: string(f.Kind), Cause: causeOf(&f)}
		switch known := func(known protocol.Cause) bool { return known.Is(c) }; {
		case q.Seek != nil && sought(*q.Seek, c, append([]string{f.Message}, f.Messages...)), target != nil && same(target, c):
			return false
		case q.Seek == nil && target == nil && !slices.ContainsFunc(q.Pass, known):
			return false
		case !told[c]:
			told[c] = true
			it.tell(protocol.Event{Test: it.name, Alive: true, Passed: true, Kind: c.Kind, Message: f.Message, Cause: c.Cause})
		}
		return true
	}
}
