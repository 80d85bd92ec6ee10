package search

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// hides is why no search of this exploration can claim anything; "" if it may.
func (x *explorer) hides() string {
	switch {
	case x.firstDiffers && !x.openings.All:
		if x.openings.ran() > 0 {
			return fmt.Sprintf("the first execution of a process takes another course than those after it, and was run by %s", source.Plural(x.openings.ran()+1, "schedule"))
		}
		return "the first execution of a process takes another course than those after it, and was run by one schedule only"
	case x.Notes&control.NoteC != 0:
		return "what C code does to memory was not seen"
	case x.Notes&control.NoteGarbage != 0:
		return "when garbage is collected was not explored, and the program can tell"
	}
	if pkg := x.assembly(); pkg != "" {
		return "what the assembly of package " + pkg + " does to memory was not seen"
	}
	return ""
}

// assembly is a package of the program with functions in assembly, or "". What
// Config.Trust names is left out anyway.
func (x *explorer) assembly() string {
	for _, pkg := range assemblies() {
		if !source.Matches(x.cfg.Trust, pkg) {
			return pkg
		}
	}
	return ""
}

// computing are modules whose assembly works on its arguments only.
var computing = []string{"golang.org/x/...", "modernc.org/..."}

// assemblies are the packages of the program with functions in assembly, but for
// the standard library's.
var assemblies = sync.OnceValue(func() []string { return inAssembly(control.Assembly()) })

// inAssembly are the packages of functions that are written in assembly.
func inAssembly(functions []string) (all []string) {
	for _, name := range functions {
		if pkg := source.PackageOf(name); strings.Contains(name, ".") && !source.Standard(pkg) && !source.Matches(computing, pkg) && !slices.Contains(all, pkg) {
			all = append(all, pkg)
		}
	}
	slices.Sort(all)
	return all
}
