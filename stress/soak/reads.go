package soak

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// readings calls see, with the values, for each object that an operation has read, or not found in a listing.
func (w *windows) readings(o *operation, see func(x *object, v values)) {
	a := o.answer
	switch {
	case o.Kind == GetPlan && a.Outcome == NotFound:
		see(w.plan(o.Subject), values{})
	case o.Kind == GetAction && a.Outcome == NotFound:
		see(w.action(o.Subject), values{})
	case o.Kind == GetPlan:
		see(w.plan(o.Subject), w.h.planValues(*a.Plan))
	case o.Kind == GetAction:
		see(w.action(o.Subject), actionValues(*a.Action))
	case o.Kind == ListPlans:
		listed := make(map[string]values)
		for _, p := range a.Plans {
			listed[p.ID] = w.h.planValues(p)
		}
		for _, id := range everyKey(w.plans, listed) {
			see(w.plan(id), listed[id])
		}
	case o.Kind == ListActions:
		listed := make(map[string]values)
		for _, a := range a.Actions {
			listed[a.Name] = actionValues(a)
		}
		for _, name := range everyKey(w.actions, listed) {
			see(w.action(name), listed[name])
		}
	}
}

func everyKey(known map[string]*object, listed map[string]values) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(known)), maps.Keys(listed))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// snapshots checks the listings at the default level: for each there must be one moment during the call at which
// everything that it lists can have been as listed, and everything else can have been missing.
func (w *windows) snapshots() Check {
	c := Check{Name: "every listing is one state of the store", Unit: "listing"}
	for _, o := range w.h.operations {
		if o.Recent || o.answer.Outcome != OK || o.Kind != ListPlans && o.Kind != ListActions {
			continue
		}
		c.Count++
		m := instant{o.call.At, o.answer.At, "its call", "its return"}
		w.readings(o, m.narrow)
		if !m.exists() {
			c.fail(w.h, fmt.Sprintf("%s of %s is no snapshot: %s", o.Kind, o.label(), m.why(w.h)), o)
		}
	}
	return c
}

// ages checks the reads at the opt-in level: each must be the committed state of one moment, at most the stated age
// before its call, and include what the same service had changed before.
func (w *windows) ages(maxAge time.Duration) Check {
	c := Check{Name: fmt.Sprintf("every recent read is younger than %v, and knows its own writes", maxAge), Unit: "recent read"}
	own := w.h.ownWrites()
	for _, o := range w.h.operations {
		if !o.Recent || o.answer.Outcome != OK && o.answer.Outcome != NotFound {
			continue
		}
		c.Count++
		m := instant{o.call.At - int64(maxAge), o.answer.At, "the stated age", "its return"}
		forgot := ""
		done := own[o.life].until(o.call.At)
		w.readings(o, func(x *object, v values) {
			m.narrow(x, v)
			if least, wrote := done[x.name]; wrote {
				for i := range v {
					if v[i] < least[i] {
						forgot = x.name
					}
				}
			}
		})
		switch {
		case forgot != "":
			c.fail(w.h, fmt.Sprintf("%s of %s does not know what its own service did to %s", o.Kind, o.label(), forgot), o)
		case !m.exists():
			c.fail(w.h, fmt.Sprintf("%s of %s is older than %v: %s", o.Kind, o.label(), maxAge, m.why(w.h)), o)
		}
	}
	return c
}
