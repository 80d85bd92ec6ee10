package soak

import (
	"cmp"
	"slices"

	"github.com/anishathalye/porcupine"
)

// part has the operations of a history that are about one object, an action or a plan with its changesets, and the
// object's sequential model.
type part struct {
	name       string
	operations []*operation
	model      porcupine.Model
	hear       func(*operation) // registers the answer of an operation; called before the model is used

	from, to int64 // the interval of all operations except readings from listings and the parent's at the end
}

// parts divides a history. A history is linearizable if and only if the parts about each object are (Herlihy and Wing, ACM
// TOPLAS 1990, theorem 1; Horn and Kroening, FORTE 2015). An operation about several objects is in each of their parts:
// the use of an action in the action's and in the plan's; a listing, as a reading, in those of all actions or plans. That
// such an operation is one moment for all of them does not follow from the parts, and is checked elsewhere; see doc.go.
func (h *history) parts() []*part {
	actions, plans := make(map[string]*part), make(map[string]*part)
	for _, o := range h.operations {
		if o.Kind.owns() || o.answer.Outcome.tellsNothing() || o.Recent || o.Kind.reads() && o.answer.Outcome.pending() {
			continue
		}
		switch o.Kind {
		case ListActions, ListPlans: // below
		case CreateAction, ArchiveAction, GetAction:
			h.actionPart(actions, o.Subject).add(o)
		case UseAction:
			h.actionPart(actions, o.Subject).add(withoutPlan(o))
			if o.answer.Outcome == OK {
				h.planPart(plans, o.answer.Plan.ID).add(o)
			}
		default:
			h.planPart(plans, o.Subject).add(o)
		}
	}
	for _, o := range h.operations {
		switch {
		case o.answer.Outcome != OK || o.Recent:
		case o.Kind == ListActions:
			h.readActions(actions, o)
		case o.Kind == ListPlans:
			h.readPlans(plans, o)
		}
	}
	var all []*part
	for _, kind := range []map[string]*part{actions, plans} {
		for _, p := range kind {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *part) int { return cmp.Compare(a.name, b.name) })
	return all
}

func (p *part) add(o *operation) {
	p.operations = append(p.operations, o)
	p.hear(o)
	p.from = min(p.from, o.call.At)
	if o.Process != parent {
		p.to = max(p.to, o.answer.At)
	}
}

// withoutPlan returns the use of an action without the plan that it made.
func withoutPlan(o *operation) *operation {
	alone := *o
	alone.answer.Plan = nil
	return &alone
}

func (h *history) actionPart(parts map[string]*part, name string) *part {
	p := parts[name]
	if p == nil {
		m := &actionModel{end: h.actions[name]}
		over := func(s actionState) actionState { s.over = true; return s }
		p = &part{name: "action " + name, from: never, model: model(m.step, over), hear: m.hear}
		parts[name] = p
	}
	return p
}

func (h *history) planPart(parts map[string]*part, id string) *part {
	p := parts[id]
	if p == nil {
		end := h.plans[id]
		if end == nil {
			end = new(planEnd)
		}
		m := newPlanModel(end)
		over := func(s planState) planState { s.over = true; return s }
		p = &part{name: "plan " + id, from: never, model: model(m.step, over), hear: m.hear}
		parts[id] = p
	}
	return p
}

// model adapts a model to porcupine. A nil operation means that everything that has returned is done.
func model[S comparable](step func(S, *operation) (bool, S), over func(S) S) porcupine.Model {
	return porcupine.Model{
		Init: func() any { var zero S; return zero },
		Step: func(state, input, _ any) (bool, any) {
			o := input.(*operation)
			if o == nil {
				return true, over(state.(S))
			}
			return step(state.(S), o)
		},
	}
}

// readActions adds a listing of actions, as a reading, to the parts of all actions.
func (h *history) readActions(parts map[string]*part, o *operation) {
	listed := make(map[string]*actionView)
	for i := range o.answer.Actions {
		v := &o.answer.Actions[i]
		listed[v.Name] = v
		h.actionPart(parts, v.Name)
	}
	for name, p := range parts {
		reading := o.reading(GetAction, name)
		v := listed[name]
		if v != nil {
			reading.answer.Outcome, reading.answer.Action = OK, v
		}
		p.addReading(reading, v != nil && *v == h.actions[name])
	}
}

// readPlans adds a listing of plans, as a reading, to the parts of all plans.
func (h *history) readPlans(parts map[string]*part, o *operation) {
	listed := make(map[string]*planView)
	for i := range o.answer.Plans {
		v := &o.answer.Plans[i]
		listed[v.ID] = v
		h.planPart(parts, v.ID)
	}
	for id, p := range parts {
		reading := o.reading(GetPlan, id)
		v := listed[id]
		if v != nil {
			reading.answer.Outcome, reading.answer.Plan = OK, v
		}
		p.addReading(reading, v != nil && h.plans[id] != nil && *v == h.plans[id].planView)
	}
}

// reading returns the reading by a listing of an object that it does not list.
func (o *operation) reading(kind Kind, subject string) *operation {
	r := &operation{life: o.life, call: o.call, answer: answer{Number: o.Number, At: o.answer.At, Outcome: NotFound}}
	r.Kind, r.Subject = kind, subject
	return r
}

// addReading adds a reading from a listing, unless it excludes nothing: because it finds nothing and returned before the
// first operation, or because it finds the state of the end and began after the last one.
func (p *part) addReading(o *operation, asAtEnd bool) {
	before := o.answer.Outcome == NotFound && o.answer.At < p.from
	after := asAtEnd && o.call.At > p.to
	if !before && !after {
		p.operations = append(p.operations, o)
	}
}
