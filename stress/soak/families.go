package soak

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Subplans summarizes the plans that have subplans.
type Subplans struct {
	Parents  int `json:"parents"`
	Done     int `json:"done"`     // parents whose subplans are all done and merged
	Attempts int `json:"attempts"` // acknowledged attempts at subplans
	Merged   int `json:"merged"`   // changes
}

// family is a plan with its subplans, as they are at the end.
type family struct {
	parent   member
	subplans []member
}

// member is a plan of a family.
type member struct {
	id, name, label string
	at              lifecycle.Position
	changes         []merged // in the order of their commits
}

// merged is a change of a member: the label of the call that recorded it, and in a parent that of the subplan's change.
type merged struct{ label, from string }

// readFamilies reads the plans that have subplans.
func (h *history) readFamilies(ctx context.Context, s *lifecycle.Service, plans []lifecycle.Plan) error {
	h.families = make(map[string]*family)
	read := func(p lifecycle.Plan) (member, error) {
		m := member{id: p.ID, name: p.Name.Base, label: p.Description, at: p.Position()}
		changes, err := s.ExecutionContext(p.ID).Changes(ctx)
		for _, c := range changes {
			m.changes = append(m.changes, merged{c.Path, c.MovedFrom})
		}
		return m, err
	}
	for _, p := range plans {
		if p.Action.String() != parentAction {
			continue
		}
		var err error
		f := &family{}
		if f.parent, err = read(p); err != nil {
			return err
		}
		children, err := s.FindPlans(ctx, lifecycle.PlanFilter{ParentID: p.ID})
		if err != nil {
			return err
		}
		for _, p := range children {
			m, err := read(p)
			if err != nil {
				return err
			}
			f.subplans = append(f.subplans, m)
		}
		h.families[p.ID] = f
	}
	return nil
}

// subplans checks that every acknowledged change of a subplan is there, made by the subplan's owner; that only one
// subplan of a name was worked on, and not again once it was done; and that the changes are merged in the subplans'
// order, each once.
func (h *history) subplans() Check {
	c := Check{Name: "no subplan is lost, done again or merged out of order", Unit: "subplan"}
	f := families{h, &c, h.byLabel(), make(map[string]string)}
	for _, id := range sortedKeys(h.families) {
		f.check(h.families[id])
	}
	for _, o := range h.operations {
		if o.answer.Outcome == OK {
			f.acknowledged(o)
		}
	}
	f.doneAgain()
	return c
}

// families is the check of subplans.
type families struct {
	h     *history
	c     *Check
	made  map[string]*operation
	where map[string]string // the plan that a change is in, by label
}

// check looks at one family as it is at the end.
func (f *families) check(x *family) {
	f.recorded(x.parent, MergeChange)
	byName := make(map[string]member)
	for _, m := range x.subplans {
		f.recorded(m, DoSubplan)
		if m.at.State == lifecycle.StateCancelled || m.at == start() {
			continue // not worked on; any other one of its name was made by a process that had lost the parent
		}
		f.c.Count++
		if other, twice := byName[m.name]; twice {
			f.c.fail(f.h, fmt.Sprintf("plan %s: two subplans %q were worked on: %s and %s", x.parent.id, m.name, other.id, m.id),
				append(f.makers(other), f.makers(m)...)...)
		}
		byName[m.name] = m
	}
	want, by := []string(nil), make(map[string]string)
	var made []*operation
	for _, s := range subplanList() {
		m := byName[s.Name]
		for _, change := range m.changes {
			want, by[change.label] = append(want, change.label), m.id
		}
		made = append(made, f.makers(m)...)
	}
	got := f.merged(x.parent, by)
	if done := x.parent.at == executed(); done && len(got) != len(want) || len(got) > len(want) {
		f.c.fail(f.h, fmt.Sprintf("plan %s, which is %s: %d changes are merged, want %d", x.parent.id, x.parent.at, len(got), len(want)), append(made, got...)...)
		return
	}
	for i, o := range got {
		if o.Change != want[i] {
			f.c.fail(f.h, fmt.Sprintf("plan %s: change %s is merged where %s should be", x.parent.id, o.Change, want[i]), o)
			return
		}
	}
}

// makers returns the calls that have made the changes of a plan.
func (f *families) makers(m member) []*operation {
	var all []*operation
	for _, change := range m.changes {
		if o := f.made[change.label]; o != nil {
			all = append(all, o)
		}
	}
	return all
}

// recorded checks that each change of a plan was made by a call of a kind about it, in the order of the fences.
func (f *families) recorded(m member, kind Kind) {
	var last *operation
	for _, change := range m.changes {
		o := f.made[change.label]
		switch {
		case o == nil || o.Kind != kind || o.Subject != m.id || o.Change != change.from:
			f.c.fail(f.h, fmt.Sprintf("plan %s: change %s is there, and nobody has made it", m.id, change.label))
			continue
		case o.answer.Outcome != OK && !o.answer.Outcome.pending():
			f.c.fail(f.h, fmt.Sprintf("plan %s: change %s is there, and who made it was told: %s", m.id, change.label, o.answer.Outcome), o)
		case f.where[change.label] != "":
			f.c.fail(f.h, fmt.Sprintf("change %s is there twice", change.label), o)
		case last != nil && o.Fence < last.Fence:
			f.c.fail(f.h, fmt.Sprintf("plan %s: %s under %d was committed after %s under %d", m.id, o.label(), o.Fence, last.label(), last.Fence), last, o)
		}
		f.where[change.label] = m.id
		last = o
	}
}

// merged returns the calls that merged changes into a parent, without those that the next owner repeated: after a kill it
// may merge again the changes of one subplan, the last that was merged. by maps each change to its subplan.
func (f *families) merged(parent member, by map[string]string) []*operation {
	var all []*operation
	for _, o := range f.makers(parent) {
		if n := len(all); n > 0 && all[n-1].Fence < o.Fence {
			from := slices.IndexFunc(all, func(before *operation) bool { return before.Change == o.Change })
			if from >= 0 && !slices.ContainsFunc(all[from:], func(before *operation) bool { return by[before.Change] != by[o.Change] }) {
				all = all[:from]
			}
		}
		all = append(all, o)
	}
	return all
}

// acknowledged checks that the acknowledged effect of a call is there.
func (f *families) acknowledged(o *operation) {
	switch o.Kind {
	case MakeParent:
		if x := f.h.families[o.answer.ID]; x == nil || x.parent.label != o.label() {
			f.c.fail(f.h, fmt.Sprintf("plan %s was made, and is not there", o.answer.ID), o)
		}
	case DoSubplan, MergeChange:
		if f.where[o.label()] != o.Subject {
			f.c.fail(f.h, fmt.Sprintf("plan %s: change %s was acknowledged, and is not there", o.Subject, o.label()), o)
		}
	case RunSubplans:
		if x := f.h.families[o.Subject]; x == nil || x.parent.at != executed() || !x.done() {
			f.c.fail(f.h, fmt.Sprintf("plan %s: its subplans were said to be done, and are not", o.Subject), o)
		}
	}
}

// done reports whether every subplan is there and applied.
func (x *family) done() bool {
	applied := make(map[string]bool)
	for _, m := range x.subplans {
		applied[m.name] = applied[m.name] || m.at.State == lifecycle.StateApplied
	}
	for _, s := range subplanList() {
		if !applied[s.Name] {
			return false
		}
	}
	return true
}

// doneAgain checks that no subplan is worked on after its family's first merge, before which all are done.
func (f *families) doneAgain() {
	merging := make(map[string]*operation) // the first, by parent
	for _, o := range f.h.operations {     // in the order of their calls
		if o.Kind == MergeChange && merging[o.Subject] == nil {
			merging[o.Subject] = o
		}
	}
	parents := make(map[string]string)
	for id, x := range f.h.families {
		for _, m := range x.subplans {
			parents[m.id] = id
		}
	}
	for _, o := range f.h.operations {
		if o.Kind != DoSubplan || o.answer.Outcome != OK {
			continue
		}
		if first := merging[parents[o.Subject]]; first != nil && first.call.At < o.call.At {
			f.c.fail(f.h, fmt.Sprintf("subplan %s was worked on when it was done and being merged", o.Subject), first, o)
		}
	}
}

// countSubplans counts the plans that have subplans.
func (h *history) countSubplans() Subplans {
	sum := Subplans{Parents: len(h.families)}
	for _, x := range h.families {
		if x.parent.at == executed() {
			sum.Done++
		}
		sum.Merged += len(x.parent.changes)
	}
	for _, o := range h.operations {
		if o.Kind == DoSubplan && o.answer.Outcome == OK {
			sum.Attempts++
		}
	}
	return sum
}
