package soak

import (
	"cmp"
	"slices"
)

// write is a change, and the least values of the object's counters since.
type write struct {
	at   int64 // of its return
	name string
	v    values
}

// writes are those of one service, by their return, and the least values that result from those consumed so far.
type writes struct {
	all  []write
	next int
	sum  map[string]values
}

// until returns the least values of the objects after the writes that had returned before a moment. Moments must not decrease.
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

// ownWrites returns the writes of each service.
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

// written returns the plan or action that an operation has changed, and its new values.
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
