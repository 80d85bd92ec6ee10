package soak

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// tell describes an operation in one line: when, by whom, what, and its outcome.
func (h *history) tell(o *operation) string {
	returned := "     not known"
	if !o.answer.Outcome.pending() {
		returned = fmt.Sprintf("%14s", h.when(o.answer.At))
	}
	return fmt.Sprintf("%14s %s  process %-6s goroutine %d  #%d %s → %s",
		h.when(o.call.At), returned, o.life, o.Goroutine, o.Number, o.asks(), o.answer.says())
}

// when returns a time since the beginning of the run, as text.
func (h *history) when(at int64) string {
	return fmt.Sprintf("%.6fs", time.Duration(at-h.began).Seconds())
}

// asks describes a call.
func (c call) asks() string {
	words := []string{string(c.Kind)}
	if c.Recent {
		words = append(words, "(recent)")
	}
	if c.Command != "" {
		words = append(words, string(c.Command))
	}
	if c.IfVersion > 0 {
		words = append(words, fmt.Sprintf("if version %d", c.IfVersion))
	}
	if c.Fence > 0 {
		words = append(words, fmt.Sprintf("under %d of %s", c.Fence, c.Holder))
	}
	if c.Changeset != "" {
		words = append(words, c.Changeset)
	}
	return strings.Join(append(words, c.Subject), " ")
}

// says describes an answer.
func (a answer) says() string {
	words := []string{string(a.Outcome)}
	if a.Plan != nil {
		words = append(words, a.Plan.String())
	}
	if a.Action != nil {
		words = append(words, a.Action.String())
	}
	if a.ID != "" {
		words = append(words, a.ID)
	}
	if a.Fence > 0 {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%d %s", a.Fence, a.Holder)))
	}
	if a.Found != "" {
		words = append(words, "at "+a.Found)
	}
	if a.Version > 0 {
		words = append(words, fmt.Sprintf("version %d, held %d", a.Version, a.Held))
	}
	for _, c := range a.Changesets {
		words = append(words, c.String())
	}
	if n := len(a.Plans) + len(a.Actions); n > 0 {
		words = append(words, fmt.Sprintf("%d listed", n))
	}
	return strings.Join(append(words, a.Error), " ")
}

// String describes the view.
func (v planView) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s version %d attempt %d %s %s", v.At, v.Version, v.Attempt, v.Message, v.Changeset))
}

// String describes the view.
func (v actionView) String() string {
	state := "available"
	if v.Archived {
		state = "archived"
	}
	return fmt.Sprintf("%s, %d uses, made by %s", state, v.Uses, v.Label)
}

// String describes the view.
func (v changesetView) String() string {
	state := "closed"
	if v.Open {
		state = "open"
	}
	return fmt.Sprintf("%s %s %v", v.ID, state, v.Entries)
}

// The limits of an excerpt.
const (
	excerptBefore = 12
	excerptAfter  = 12
	excerptTime   = 30 * time.Second // to search for the longest beginning
)

// excerpt shows where a part that is not linearizable goes wrong: the end of the longest beginning of an order that there is, and the
// operations of which none can come next.
func (h *history) excerpt(p *part) []string {
	_, info := porcupine.CheckOperationsVerbose(p.model, p.history(), excerptTime)
	var best []porcupine.Operation
	for _, found := range info.PartialLinearizationsOperations() {
		for _, order := range found {
			if len(order) > len(best) {
				best = order
			}
		}
	}
	placed := make(map[*operation]bool)
	lines := []string{fmt.Sprintf("in an order that agrees with the time, at most %d can be placed; the last of them:", len(best))}
	for i, op := range best {
		o := op.Input.(*operation)
		placed[o] = true
		if i >= len(best)-excerptBefore && o != nil {
			lines = append(lines, "  "+h.tell(o))
		}
	}
	lines = append(lines, "and then none of these, of which the first to return must come before whatever begins later:")
	var left []*operation
	for _, o := range p.operations {
		if !placed[o] {
			left = append(left, o)
		}
	}
	slices.SortStableFunc(left, func(a, b *operation) int { return cmp.Compare(a.answer.At, b.answer.At) })
	for i, o := range left {
		if i == excerptAfter {
			return append(lines, fmt.Sprintf("  … and %d more", len(left)-i))
		}
		lines = append(lines, "  "+h.tell(o))
	}
	return lines
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
