package soak

import (
	"cmp"
	"slices"
)

// write is a change, and what the counters of the object have been at least since.
type write struct {
	at   int64 // of its return
	name string
	v    values
}

// writes are those of one service, by their return, and what came of those that were asked for.
type writes struct {
	all  []write
	next int
	sum  map[string]values
}

// until returns what the objects have become at least by the writes that had returned before a moment. Moments come in their order.
func (w *writes) until(at int64) map[string]values {
	if w == nil {
		return nil
	}
	for ; w.next < len(w.all) && w.all[w.next].at < at; w.next++ {
		one := w.all[w.next]
		v := w.sum[one.name]
		for i := range v {
			v[i] = max(v[i], one.v[i])
		}
		w.sum[one.name] = v
	}
	return w.sum
}

// ownWrites returns what each service has changed.
func (h *history) ownWrites() map[life]*writes {
	all := make(map[life]*writes)
	for _, o := range h.operations {
		name, v, ok := h.written(o)
		if !ok {
			continue
		}
		if all[o.life] == nil {
			all[o.life] = &writes{sum: make(map[string]values)}
		}
		all[o.life].all = append(all[o.life].all, write{o.answer.At, name, v})
	}
	for _, w := range all {
		slices.SortFunc(w.all, func(a, b write) int { return cmp.Compare(a.at, b.at) })
	}
	return all
}

// written says what an operation has changed that shows in a plan or an action, and to what.
func (h *history) written(o *operation) (name string, v values, ok bool) {
	if o.answer.Outcome != OK {
		return "", v, false
	}
	switch o.Kind {
	case CreateAction:
		return "action " + o.Subject, values{existsCounter: 1}, true
	case ArchiveAction:
		return "action " + o.Subject, actionValues(*o.answer.Action), true
	case UseAction:
		return "plan " + o.answer.Plan.ID, values{versionCounter: 1}, true
	case MovePlan:
		return "plan " + o.Subject, h.planValues(*o.answer.Plan), true
	case StartChangeset:
		return "plan " + o.Subject, h.planValues(planView{ID: o.Subject, Changeset: o.answer.ID}), true
	}
	return "", v, false
}
