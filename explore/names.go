package explore

import (
	"path"
	"runtime"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// rootName is what reports call the goroutine that runs the body.
const rootName = "body"

func (ex *execution) nameMember(id uint32, name string) {
	if ex.given == nil {
		ex.given = make(map[uint32]string)
	}
	ex.given[id] = name
}

// name is what reports call a goroutine: the name given to T.Go, or the
// function it runs; wg.Go, say, if it runs a function literal of another module.
// Goroutines of one name are numbered.
func (ex *execution) name(id uint32) string {
	if id == 0 || int(id) > ex.e.Len() {
		return "?"
	}
	name, n := ex.bareName(id), 1
	for other := uint32(1); other < id; other++ {
		if ex.bareName(other) == name {
			n++
		}
	}
	if n > 1 {
		return name + " #" + digits(n)
	}
	return name
}

// digits is n in decimal. Members ask for names too, as the harness's code, and
// fmt would be given their stacks' memory then, which to the race detector is not
// the harness's.
func digits(n int) string {
	const all = "0123456789"
	text := ""
	for ; n > 0; n /= 10 {
		text = all[n%10:n%10+1] + text
	}
	return text
}

func (ex *execution) bareName(id uint32) string {
	if name, ok := ex.given[id]; ok {
		return name
	}
	if id == 1 {
		return rootName
	}
	if name, ok := ex.borrowers[id]; ok {
		return name
	}
	m := ex.e.Member(int(id))
	name := functionName(m.StartPC)
	if strings.Contains(name, ".gowrap") {
		if called := ex.x.sites.callee(m.GoPC); called != "" {
			return called
		}
		if literal := ex.x.sites.wrapped(m, name); literal != "" {
			name = literal
		}
	}
	return path.Base(strings.TrimSuffix(name, "-fm"))
}

// borrows looks at the goroutine that a member has just started. If it begins in a
// package that the program uses, it is called by the program's call of that.
func (ex *execution) borrows(m *control.Member) {
	if m.State != control.Runnable || m.Op != control.OpGo {
		return
	}
	child := ex.e.Member(ex.e.Len())
	if child.Parent != m.ID || !ex.x.sites.borrowed(child.StartPC) {
		return
	}
	if name := ex.x.sites.borrower(m); name != "" {
		if ex.borrowers == nil {
			ex.borrowers = make(map[uint32]string)
		}
		ex.borrowers[child.ID] = name
	}
}

// functionName is the function that begins at pc.
func functionName(pc uintptr) string {
	f := runtime.FuncForPC(pc)
	if f == nil {
		return "goroutine"
	}
	return f.Name()
}

// created says which member started id, and where.
func (ex *execution) created(m *control.Member) (by string, at frame) {
	if m.Parent != 0 {
		by = ex.name(m.Parent)
	}
	for _, f := range resolve([]uintptr{m.GoPC}) {
		if ex.x.cfg.isProgram(f.function) {
			return by, f
		}
	}
	return by, frame{}
}
