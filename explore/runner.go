package explore

import (
	"slices"
	"strings"
)

// runs reports whether a package is the one to which the body leaves its work.
func (c *Config) runs(pkg string) bool { return c.Runner != "" && pkg == c.Runner }

// isProgram reports whether a function is neither machinery nor the runner's.
func (c *Config) isProgram(function string) bool {
	pkg := packageOf(function)
	return !machinery(pkg) && !c.runs(pkg)
}

// inside is the part of a stack that the runner has called; without a runner,
// all of it.
func (c *Config) inside(stack []frame) []frame {
	for i, f := range slices.Backward(stack) {
		if c.runs(packageOf(f.function)) {
			return stack[:i]
		}
	}
	return stack
}

// called is the same of the lines of a race report's stack.
func (c *Config) called(lines []string) []string {
	n := len(lines)
	for ; n > 0; n-- {
		function, _, _ := strings.Cut(lines[n-1], " ")
		if !c.runs(packageOf(function)) {
			break
		}
	}
	return lines[:n]
}

// runs reports whether an event is what the runner does by itself.
func (p *picture) runs(e *event) bool { return p.ex.x.cfg.runs(packageOf(e.site.user.function)) }

// onlyRuns reports whether a member does nothing but to run the runner, and so
// is left out: the body's, if it has no name.
func (ex *execution) onlyRuns(id uint32) bool {
	_, named := ex.given[id]
	return id == 1 && ex.x.cfg.Runner != "" && !named
}

// told are those of the members that wait in the program, and not in the runner
// for others; all, if there are none.
func (ex *execution) told(ids []uint32) []uint32 {
	waiting := slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool {
		all := resolve(ex.e.Where(id))
		i := slices.IndexFunc(all, func(f frame) bool { return !machinery(packageOf(f.function)) })
		return ex.onlyRuns(id) || i >= 0 && ex.x.cfg.runs(packageOf(all[i].function))
	})
	if len(waiting) == 0 {
		return ids
	}
	return waiting
}
