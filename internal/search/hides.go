package search

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// hides returns why no search of this exploration can claim anything; "" if it may.
func (x *explorer) hides() string {
	switch {
	case x.firstDiffers && !x.openings.All:
		if x.openings.ran() > 0 {
			return fmt.Sprintf("the first execution of a process differs from those after it, and was run by %s", source.Plural(x.openings.ran()+1, "schedule"))
		}
		return "the first execution of a process differs from those after it, and was run by one schedule only"
	case x.Notes&control.NoteC != 0:
		return "what C code does to memory was not seen"
	case x.Notes&control.NoteGarbage != 0:
		return "when garbage is collected was not explored, and the program can tell"
	case x.Notes&control.NoteAlone != 0:
		return "a goroutine that went on alone for very long was not held up until a timer fired"
	}
	if pkg := x.assembly(); pkg != "" {
		return "what the assembly of package " + pkg + " does to memory was not seen"
	}
	return ""
}

// assembly returns a package of the program with assembly functions, or "". Packages in
// Config.Trust do not count, because they are left out anyway.
func (x *explorer) assembly() string {
	for _, pkg := range assemblies() {
		if !source.Matches(x.cfg.Trust, pkg) {
			return pkg
		}
	}
	return ""
}

// computing lists modules whose assembly accesses only its arguments.
var computing = []string{"golang.org/x/...", "modernc.org/..."}

// assemblies returns the packages of the program with assembly functions, except those
// of the standard library.
var assemblies = sync.OnceValue(func() []string { return inAssembly(control.Assembly()) })

// inAssembly returns the packages of assembly functions, sorted.
func inAssembly(functions []string) (all []string) {
	for _, name := range functions {
		if pkg := source.PackageOf(name); strings.Contains(name, ".") && !source.Standard(pkg) && !source.Matches(computing, pkg) && !slices.Contains(all, pkg) {
			all = append(all, pkg)
		}
	}
	slices.Sort(all)
	return all
}
