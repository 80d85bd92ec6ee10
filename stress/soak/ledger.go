package soak

import (
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// acknowledged checks that every acknowledged write is there at the end, and that no refused one is.
func (h *history) acknowledged() Check {
	c := Check{Name: "every acknowledged write is there, and nothing that was refused", Unit: "write"}
	for _, o := range h.operations {
		if o.Kind.reads() || o.Kind.owns() {
			continue
		}
		if o.answer.Outcome == OK {
			c.Count++
			if missing := h.missing(o); missing != "" {
				c.fail(h, fmt.Sprintf("%s, %s of %s, was acknowledged: %s", o.label(), o.Kind, o.Subject, missing), o)
			}
		}
	}
	made := h.byLabel()
	for _, id := range sortedKeys(h.plans) {
		c.unasked(h, made[h.plans[id].Label], UseAction, "plan "+id)
	}
	for _, name := range sortedKeys(h.actions) {
		c.unasked(h, made[h.actions[name].Label], CreateAction, "action "+name)
	}
	return c
}

// unasked fails if something is there that no call can have made.
func (c *Check) unasked(h *history, by *operation, kind Kind, what string) {
	switch {
	case by == nil || by.Kind != kind:
		c.fail(h, what+" is there, and nobody has made it")
	case by.answer.Outcome != OK && !by.answer.Outcome.pending():
		c.fail(h, fmt.Sprintf("%s is there, and %s, which was to make it, %s", what, by.label(), by.answer.Outcome), by)
	}
}

func (h *history) byLabel() map[string]*operation {
	all := make(map[string]*operation)
	for _, o := range h.operations {
		if o.Process != parent {
			all[o.label()] = o
		}
	}
	return all
}

// missing describes what is missing of an acknowledged write, or returns "".
func (h *history) missing(o *operation) string {
	if o.Kind == CreateAction || o.Kind == ArchiveAction {
		a, ok := h.actions[o.Subject]
		switch {
		case !ok:
			return "the action is not there"
		case o.Kind == CreateAction && a.Label != o.label():
			return "the action is that of " + a.Label
		case o.Kind == ArchiveAction && !a.Archived:
			return "the action is not archived"
		}
		return ""
	}
	id := o.Subject
	if o.Kind == UseAction {
		id = o.answer.Plan.ID
	}
	p := h.plans[id]
	switch {
	case p == nil:
		return "the plan is not there"
	case o.Kind == UseAction && (p.Label != o.label() || p.Action != o.Subject):
		return fmt.Sprintf("the plan is that of %s, from %s", p.Label, p.Action)
	case o.Kind == MovePlan && p.Version < o.answer.Plan.Version:
		return fmt.Sprintf("the plan has version %d, want at least %d", p.Version, o.answer.Plan.Version)
	case o.Kind == StartChangeset && p.nth(o.answer.ID) == 0:
		return "the changeset is not there"
	case o.Kind == FinishChangeset:
		if n := p.nth(o.Changeset); n == 0 || p.changesets[n-1].Open {
			return "the changeset is not closed"
		}
	case o.Kind == RecordChange:
		if !slices.ContainsFunc(p.changesets, func(c changesetView) bool { return slices.Contains(c.Entries, o.label()) }) {
			return "the change is not there"
		}
	}
	return ""
}

// once checks that each version of a plan was reached by at most one acknowledged transition, that no plan was applied
// twice, that an action has as many uses as plans, and that a plan has as many versions as there were transitions.
func (h *history) once() Check {
	c := Check{Name: "no plan was applied or moved twice, no use counted twice", Unit: "plan", Count: len(h.plans)}
	moves := make(map[string][]*operation)
	for _, o := range h.operations {
		if o.Kind == MovePlan && (o.answer.Outcome == OK || o.answer.Outcome.pending()) {
			moves[o.Subject] = append(moves[o.Subject], o)
		}
	}
	uses := make(map[string]int64)
	for _, id := range sortedKeys(h.plans) {
		uses[h.plans[id].Action]++
		c.movedOnce(h, h.plans[id], moves[id])
	}
	for _, name := range sortedKeys(h.actions) {
		if a := h.actions[name]; a.Uses != uses[name] {
			c.fail(h, fmt.Sprintf("action %s: counted %d uses, want %d, as many as it has plans", name, a.Uses, uses[name]))
		}
	}
	return c
}

// movedOnce checks the transitions of one plan.
func (c *Check) movedOnce(h *history, p *planEnd, moves []*operation) {
	by := make(map[int64]*operation)
	var applied *operation
	for _, o := range moves {
		if o.answer.Outcome.pending() {
			continue
		}
		v := o.answer.Plan.Version
		if other := by[v]; other != nil {
			c.fail(h, fmt.Sprintf("plan %s: two transitions to version %d were acknowledged", p.ID, v), other, o)
		}
		by[v] = o
		if o.Command != lifecycle.CommandCompleteApply {
			continue
		}
		if applied != nil {
			c.fail(h, fmt.Sprintf("plan %s was applied twice", p.ID), applied, o)
		}
		applied = o
	}
	if made := p.Version - 1; made < int64(len(by)) || made > int64(len(moves)) {
		c.fail(h, fmt.Sprintf("plan %s: its version tells of %d transitions, and there were %d to %d", p.ID, made, len(by), len(moves)), moves...)
	}
}

// places checks that every change is in the changeset that its recorder was told, and only once.
func (h *history) places() Check {
	c := Check{Name: "every change is in the changeset that was told, once", Unit: "change"}
	made, seen := h.byLabel(), make(map[string]bool)
	for _, id := range sortedKeys(h.plans) {
		for _, set := range h.plans[id].changesets {
			for _, label := range set.Entries {
				c.Count++
				o := made[label]
				if o == nil || o.Kind != RecordChange {
					c.fail(h, fmt.Sprintf("change %s in changeset %s: nobody has recorded it", label, set.ID))
					continue
				}
				switch {
				case seen[label]:
					c.fail(h, fmt.Sprintf("change %s is there twice", label), o)
				case o.Subject != id:
					c.fail(h, fmt.Sprintf("change %s of plan %s is in changeset %s of plan %s", label, o.Subject, set.ID, id), o)
				case o.answer.Outcome == OK && o.answer.ID != set.ID:
					c.fail(h, fmt.Sprintf("change %s is in changeset %s, and its recorder was told %s", label, set.ID, o.answer.ID), o)
				case o.answer.Outcome != OK && !o.answer.Outcome.pending():
					c.fail(h, fmt.Sprintf("change %s is there, and its recorder was told: %s", label, o.answer.Outcome), o)
				}
				seen[label] = true
			}
		}
	}
	return c
}

// order checks that the changes of each plan, changeset by changeset, are in a possible order of their commits: none
// comes before one whose recording had returned when its own began.
func (h *history) order() Check {
	c := Check{Name: "changes are in the order of their commits", Unit: "changeset"}
	made := h.byLabel()
	for _, id := range sortedKeys(h.plans) {
		var latest *operation // the operation so far that began last
		for _, set := range h.plans[id].changesets {
			c.Count++
			for _, label := range set.Entries {
				o := made[label]
				if o == nil {
					continue // which places reports
				}
				if latest != nil && o.answer.At < latest.call.At {
					c.fail(h, fmt.Sprintf("plan %s: change %s comes after %s, which began when it had returned", id, label, latest.label()), o, latest)
				}
				if latest == nil || o.call.At > latest.call.At {
					latest = o
				}
			}
		}
	}
	return c
}

// errors checks that no call returned an error that its contract does not name.
func (h *history) errors() Check {
	c := Check{Name: "every error is one that the contract names", Unit: "error"}
	for _, o := range h.operations {
		switch o.answer.Outcome {
		case OK, CutOff, Unknown:
		case Wrong:
			c.fail(h, fmt.Sprintf("%s, %s of %s: %s", o.label(), o.Kind, o.Subject, o.answer.Error), o)
		default:
			c.Count++
		}
	}
	return c
}
