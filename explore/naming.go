package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Labels are the names of what an execution worked on: a variable or field, as
// the source calls it, or a kind and a number.
type labels struct {
	known map[uintptr]*label
	order []*label // as they appeared
}

// A label is of one lock, channel or variable.
type label struct {
	family string
	names  []string // as spelled where it was used, with repetitions
	name   string   // as shown
}

// nameObjects finds the names of all objects of an execution.
func nameObjects(s *spots, events []*event) *labels {
	o := &labels{known: make(map[uintptr]*label)}
	for _, e := range events {
		if e.log {
			continue
		}
		for i, addr := range e.channels {
			o.meet(addr, "chan", s.selected(e, i))
		}
		if e.object != 0 && !e.site.part() {
			o.meet(e.object, e.site.family(), spelled(s.expr(e)))
		}
	}
	o.settle()
	return o
}

func (o *labels) meet(addr uintptr, family, name string) {
	if addr == 0 {
		return
	}
	found := o.known[addr]
	if found == nil && family == contextFamily {
		found = o.sameContext(addr)
	}
	if found == nil {
		found = &label{family: family}
		o.known[addr] = found
		o.order = append(o.order, found)
	}
	if name != "" {
		found.names = append(found.names, name)
	}
}

// contextSize is more than lies between the fields of a context that are worked on,
// which is 40 bytes, and less than between those of one and of the next, 56.
const contextSize = 48

// sameContext is the label of the context that has a field at addr, if another field
// of it is known by then.
func (o *labels) sameContext(addr uintptr) *label {
	for other, l := range o.known {
		if l.family == contextFamily && max(addr, other)-min(addr, other) < contextSize {
			o.known[addr] = l
			return l
		}
	}
	return nil
}

// name is what an object is called; "" for none.
func (o *labels) name(addr uintptr) string {
	if found := o.known[addr]; found != nil {
		return found.name
	}
	return ""
}

// names are what the source calls an object.
func (o *labels) names(addr uintptr) []string {
	if found := o.known[addr]; found != nil {
		return found.names
	}
	return nil
}

// settle chooses each object's name, and numbers those that share one.
func (o *labels) settle() {
	groups := make(map[string][]*label)
	for _, obj := range o.order {
		obj.name = obj.favourite()
		groups[obj.key()] = append(groups[obj.key()], obj)
	}
	for _, group := range groups {
		if len(group) > 1 && slices.ContainsFunc(group, (*label).aliased) {
			for _, obj := range group { // parameters that stand for one and then for the other
				obj.name, obj.names = obj.family, nil
			}
		}
	}
	uses, seen := make(map[string]int), make(map[string]int)
	for _, obj := range o.order {
		uses[obj.key()]++
	}
	for _, obj := range o.order {
		key := obj.key()
		if seen[key]++; uses[key] > 1 || len(obj.names) == 0 {
			obj.name = fmt.Sprintf("%s#%d", obj.name, seen[key])
		}
	}
}

// key tells apart what has different names, or is of different kinds.
func (obj *label) key() string { return obj.family + " " + obj.name }

// aliased reports whether an object goes by several names.
func (obj *label) aliased() bool {
	return slices.ContainsFunc(obj.names, func(n string) bool { return n != obj.names[0] })
}

// favourite is the name that is used most, and of those the first. If two
// fields of one thing are the same object both are named: that is worth knowing.
func (obj *label) favourite() string {
	if len(obj.names) == 0 {
		return obj.family
	}
	count := make(map[string]int)
	best := obj.names[0]
	for _, n := range obj.names {
		count[n]++
	}
	for _, n := range obj.names {
		if count[n] > count[best] {
			best = n
		}
	}
	for _, other := range obj.names {
		if of := owner(best); other != best && of != "" && owner(other) == of {
			return best + "/" + other[len(of):]
		}
	}
	return best
}

// owner is what a field is of, with the point: "q." of q.mu.
func owner(name string) string {
	return name[:strings.LastIndexByte(name, '.')+1]
}
