package explore

import (
	"fmt"
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
// function it runs. Goroutines of one name are numbered.
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
		return fmt.Sprintf("%s #%d", name, n)
	}
	return name
}

func (ex *execution) bareName(id uint32) string {
	if name, ok := ex.given[id]; ok {
		return name
	}
	if id == 1 {
		return rootName
	}
	m := ex.e.Member(int(id))
	name := functionName(m.StartPC)
	if strings.Contains(name, ".gowrap") {
		if called := ex.x.sites.callee(m.GoPC); called != "" {
			return called
		}
	}
	return path.Base(strings.TrimSuffix(name, "-fm"))
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
		if !machinery(packageOf(f.function)) {
			return by, f
		}
	}
	return by, frame{}
}
