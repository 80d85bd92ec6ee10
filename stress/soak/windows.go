package soak

import "fmt"

// object has the counters of a plan or an action that a listing shows.
type object struct {
	name     string
	counters [3]counter
}

// The counters of an object. The first one also says whether it exists.
const (
	versionCounter   = 0 // of a plan
	changesetCounter = 1 // of a plan
	existsCounter    = 0 // of an action
	usesCounter      = 1 // of an action
	archivedCounter  = 2 // of an action
)

// values are the values of an object's counters.
type values [3]int

// windows knows when the objects of a history can have had which values.
type windows struct {
	h       *history
	plans   map[string]*object
	actions map[string]*object
}

// newWindows evaluates all operations at the default level.
func newWindows(h *history) *windows {
	w := &windows{h, make(map[string]*object), make(map[string]*object)}
	for _, o := range h.operations {
		if o.Kind.owns() || o.answer.Outcome.tellsNothing() || o.Recent {
			continue
		}
		switch o.Kind {
		case ListPlans:
			for _, p := range o.answer.Plans {
				w.plan(p.ID).saw(h.planValues(p), o)
			}
		case ListActions:
			for _, a := range o.answer.Actions {
				w.action(a.Name).saw(actionValues(a), o)
			}
		case CreateAction, ArchiveAction, GetAction, UseAction:
			w.useAction(o)
		default:
			w.usePlan(o)
		}
	}
	return w
}

func (w *windows) plan(id string) *object     { return objectOf(w.plans, "plan", id) }
func (w *windows) action(name string) *object { return objectOf(w.actions, "action", name) }

// objectOf returns an object, which is added if it is new.
func objectOf(all map[string]*object, kind, name string) *object {
	if all[name] == nil {
		all[name] = &object{name: kind + " " + name}
	}
	return all[name]
}

func (x *object) saw(v values, o *operation) {
	for i := range v {
		x.counters[i].saw(v[i], o.call.At, o.answer.At)
	}
}

// planValues returns the values of a plan's counters in a listing.
func (h *history) planValues(p planView) values {
	v := values{versionCounter: int(p.Version)}
	if end := h.plans[p.ID]; end != nil {
		v[changesetCounter] = end.nth(p.Changeset)
	}
	return v
}

func actionValues(a actionView) values {
	v := values{existsCounter: 1, usesCounter: int(a.Uses)}
	if a.Archived {
		v[archivedCounter] = 1
	}
	return v
}

func (w *windows) usePlan(o *operation) {
	x := w.plan(o.Subject)
	version, changesets := &x.counters[versionCounter], &x.counters[changesetCounter]
	a := o.answer
	switch {
	case a.Outcome == NotFound && o.Kind != FinishChangeset:
		version.saw(0, o.call.At, a.At)
	case a.Outcome == Conflict:
		version.saw(int(a.Version), o.call.At, a.At)
	case o.Kind == MovePlan && a.Outcome == OK:
		version.reached(int(a.Plan.Version), o.call.At, a.At)
	case o.Kind == GetPlan && a.Outcome == OK:
		x.saw(w.h.planValues(*a.Plan), o)
	case o.Kind == StartChangeset && a.Outcome == OK:
		if end := w.h.plans[o.Subject]; end != nil && end.nth(a.ID) > 0 {
			changesets.reached(end.nth(a.ID), o.call.At, a.At)
		}
	case o.Kind == ListChangesets && a.Outcome == OK:
		changesets.saw(len(a.Changesets), o.call.At, a.At)
	}
}

func (w *windows) useAction(o *operation) {
	x, a := w.action(o.Subject), o.answer
	switch {
	case a.Outcome == NotFound:
		x.counters[existsCounter].saw(0, o.call.At, a.At)
	case o.Kind == CreateAction && a.Outcome == OK:
		x.counters[existsCounter].reached(1, o.call.At, a.At)
	case o.Kind == CreateAction && a.Outcome == AlreadyExists:
		x.counters[existsCounter].saw(1, o.call.At, a.At)
	case a.Outcome == Archived:
		x.saw(values{existsCounter: 1, usesCounter: int(a.Uses), archivedCounter: 1}, o)
	case o.Kind == ArchiveAction && a.Outcome == OK:
		x.counters[archivedCounter].reached(1, o.call.At, a.At)
	case o.Kind == GetAction && a.Outcome == OK:
		x.saw(actionValues(*a.Action), o)
	case o.Kind == UseAction && a.Outcome == OK:
		x.counters[usesCounter].grew(o.call.At, a.At)
		w.plan(a.Plan.ID).counters[versionCounter].reached(1, o.call.At, a.At)
	}
}

// instant is an interval that contains a moment, and the names of what has narrowed it.
type instant struct {
	from, until         int64
	fromName, untilName string
}

// narrow restricts the interval to the moments at which an object can have had these values.
func (m *instant) narrow(x *object, v values) {
	for i := range v {
		from, until := x.counters[i].window(v[i])
		if from > m.from {
			m.from, m.fromName = from, x.name
		}
		if until < m.until {
			m.until, m.untilName = until, x.name
		}
	}
}

// exists reports whether there is such a moment. The interval includes its ends.
func (m *instant) exists() bool { return m.from <= m.until }

// why explains why there is no moment.
func (m *instant) why(h *history) string {
	return fmt.Sprintf("%s allows no moment before %s, and %s none after %s", m.fromName, h.when(m.from), m.untilName, h.when(m.until))
}
