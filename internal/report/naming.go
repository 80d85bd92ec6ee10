package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Labels are the names of an execution's objects: a variable or field, as in the source, or a kind
// and a number.
type labels struct {
	known map[uintptr]*label
	order []*label // in order of appearance
	wide  wides
}

// Wides are the atomic variables of eight bytes in an execution.
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

// half returns the half of such a variable that an operation of four bytes is on; "" if it is on
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

// whole returns the variable that an operation is on, possibly on only half of it.
func (w wides) whole(e *event) uintptr {
	if w.half(e) == "upper half" {
		return e.object - 4
	}
	return e.object
}

// A label is the name of one lock, channel or variable.
type label struct {
	family string
	names  []string // as spelled at each use, with repetitions
	name   string   // as shown
	shared bool     // used by several goroutines; only then is it in the table
}

// nameObjects names all objects of an execution.
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

// spelled returns the name of a row's object in the source; for a file, its path's; for the
// environment, its family's.
func (e *event) spelled(s *source.Expressions) string {
	switch {
	case e.Op == control.OpFile:
		return filepath.Base(e.path) // tests have directories with long names
	case e.Site.Environment() != 0:
		return e.Site.Family()
	}
	return source.Spelled(s.Expr(&e.Use))
}

// The families of objects of package sync that consist of several others.
const (
	onceFamily = "Once"
	mapFamily  = "Map"
)

// family returns the kind of the row's object; "" for one that is only a part of another.
func (e *event) family() string {
	switch {
	case !e.Site.Part():
		return e.Site.Family()
	case e.Op == control.OpPool:
		return "Pool"
	case e.Site.Call == "Once.Do":
		return onceFamily
	case strings.HasPrefix(e.Site.Call, mapFamily+".") && e.inside == nil && e.started == nil && source.Through(e.within(), ".init"): // each call begins like this
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

// sizes are, by family, distances in bytes: more than between the accessed parts of one object, and
// at most that between parts of adjacent objects. For contexts these are 40 and 64.
var sizes = map[string]uintptr{source.ContextFamily: 48, onceFamily: 12}

// same returns the label of the nearest object of which a part at another address is already known,
// if addr is within its size.
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

// name returns the name of an object as shown; "" for none.
func (o *labels) name(addr uintptr) string {
	if found := o.known[addr]; found != nil {
		return found.name
	}
	return ""
}

// names returns the names of an object in the source.
func (o *labels) names(addr uintptr) []string {
	if found := o.known[addr]; found != nil {
		return found.names
	}
	return nil
}

// settle chooses each object's name, and numbers objects with the same name. If only one of these
// is shared, it needs no number, because the others are not shown.
func (o *labels) settle() {
	groups := make(map[string][]*label)
	for _, obj := range o.order {
		obj.name = obj.favourite()
		groups[obj.key()] = append(groups[obj.key()], obj)
	}
	for _, group := range groups {
		if len(group) > 1 && slices.ContainsFunc(group, (*label).aliased) {
			for _, obj := range group { // parameters that stand for different objects
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

// key distinguishes objects by kind and name.
func (obj *label) key() string { return obj.family + " " + obj.name }

// aliased reports whether an object has several names.
func (obj *label) aliased() bool {
	return slices.ContainsFunc(obj.names, func(n string) bool { return n != obj.names[0] })
}

// favourite returns the most frequent name, and of equals the first. If two fields of one owner are
// the same object, it returns both names, because that matters.
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

// owner returns the owner of a field, with the point: "q." for q.mu.
func owner(name string) string {
	return name[:strings.LastIndexByte(name, '.')+1]
}
