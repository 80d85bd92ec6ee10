package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Labels are the names of what an execution worked on: a variable or field, as
// the source calls it, or a kind and a number.
type labels struct {
	known map[uintptr]*label
	order []*label // as they appeared
	wide  wides
}

// Wides are the atomic variables of eight bytes that an execution worked on.
type wides map[uintptr]bool

func wideObjects(events []*event) wides {
	w := make(wides)
	for _, e := range events {
		if e.Site.Type != "" && e.Site.Size == 8 && !e.onValue() {
			w[e.object] = true
		}
	}
	return w
}

// half says which half of a variable an operation of four bytes is on; "" if it is on
// none.
func (w wides) half(e *event) string {
	switch {
	case e.Site.Type == "" || e.Site.Size != 4:
		return ""
	case w[e.object]:
		return "lower half"
	case w[e.object-4]:
		return "upper half"
	}
	return ""
}

// whole is the variable that an operation is on, of which it may be only on half.
func (w wides) whole(e *event) uintptr {
	if w.half(e) == "upper half" {
		return e.object - 4
	}
	return e.object
}

// A label is of one lock, channel or variable.
type label struct {
	family string
	names  []string // as spelled where it was used, with repetitions
	name   string   // as shown
	shared bool     // several goroutines use it: only then is it in the table
}

// nameObjects finds the names of all objects of an execution.
func nameObjects(s *source.Expressions, events []*event, shared map[uintptr]bool) *labels {
	o := &labels{known: make(map[uintptr]*label), wide: wideObjects(events)}
	for _, e := range events {
		if e.log || o.wide.half(e) != "" {
			continue
		}
		for i, addr := range e.channels {
			o.meet(addr, "chan", s.Selected(&e.Use, i))
		}
		if family := e.family(); e.object != 0 && family != "" {
			o.meet(e.object, family, e.spelled(s))
		}
	}
	for addr, l := range o.known {
		l.shared = l.shared || shared[addr]
	}
	o.settle()
	return o
}

// spelled is what the source, or the program, calls a row's object.
func (e *event) spelled(s *source.Expressions) string {
	if e.Op == control.OpFile {
		return pathName(e.path)
	}
	return source.Spelled(s.Expr(&e.Use))
}

// The families of what package sync makes of several objects.
const (
	onceFamily = "Once"
	mapFamily  = "Map"
)

// family is the kind of the row's object; "" for one that is only a part of another.
func (e *event) family() string {
	switch {
	case !e.Site.Part():
		return e.Site.Family()
	case e.Op == control.OpPool:
		return "Pool"
	case e.Site.Call == "Once.Do":
		return onceFamily
	case strings.HasPrefix(e.Site.Call, mapFamily+".") && e.inside == nil && e.started == nil && source.Through(e.within(), ".init"): // each call begins so
		return mapFamily
	}
	return ""
}

func (o *labels) meet(addr uintptr, family, name string) {
	if addr == 0 {
		return
	}
	found := o.known[addr]
	if found == nil {
		found = o.same(addr, family)
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

// sizes are, by family, more than lies between the parts of an object that are worked
// on, and no more than between those of one and of the next: 40 and 64 bytes of contexts.
var sizes = map[string]uintptr{source.ContextFamily: 48, onceFamily: 12}

// same is the label of the object that has a part at addr, if another part of it is
// known by then: the nearest.
func (o *labels) same(addr uintptr, family string) (nearest *label) {
	within := sizes[family]
	for other, l := range o.known {
		if apart := max(addr, other) - min(addr, other); l.family == family && apart < within {
			nearest, within = l, apart
		}
	}
	if nearest != nil {
		o.known[addr] = nearest
	}
	return nearest
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

// settle chooses each object's name, and numbers those that share one. Of those the only
// one that several goroutines use needs no number: no other is seen beside it.
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
		if obj.shared {
			uses[obj.key()]++
		}
	}
	slices.SortStableFunc(o.order, func(a, b *label) int {
		switch {
		case a.shared == b.shared:
			return 0
		case a.shared:
			return -1
		}
		return 1
	})
	for _, obj := range o.order {
		key := obj.key()
		if seen[key]++; seen[key] > 1 || uses[key] > 1 || len(obj.names) == 0 {
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
