package engine

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/source"
)

// Runs reports whether a package is [Config].Runner.
func (c *Settings) Runs(pkg string) bool { return c.Runner != "" && pkg == c.Runner }

// IsProgram reports whether a function belongs neither to the machinery nor to the runner.
func (c *Settings) IsProgram(function string) bool {
	pkg := source.PackageOf(function)
	return !source.Machinery(pkg) && !c.Runs(pkg)
}

// Inside returns the part of a stack that the runner has called, or all of it without a
// runner.
func (c *Settings) Inside(stack []source.Frame) []source.Frame {
	for i, f := range slices.Backward(stack) {
		if c.Runs(source.PackageOf(f.Function)) {
			return stack[:i]
		}
	}
	return stack
}

// Called is Inside for the lines of a race report's stack.
func (c *Settings) Called(lines []string) []string {
	n := len(lines)
	for ; n > 0; n-- {
		function, _, _ := strings.Cut(lines[n-1], " ")
		if !c.Runs(source.PackageOf(function)) {
			break
		}
	}
	return lines[:n]
}

// OnlyRuns reports whether a task only executes the runner, so that reports omit it:
// the body's task, if it has no name.
func (ex *Execution) OnlyRuns(id uint32) bool {
	_, named := ex.given[id]
	return id == 1 && ex.Engine.Settings.Runner != "" && !named
}

// Told returns the tasks among ids that wait in the program, rather than in the runner
// for other tasks; or all of ids if there are none.
func (ex *Execution) Told(ids []uint32) []uint32 {
	waiting := slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool {
		all := source.Resolve(ex.Control.Where(id))
		i := slices.IndexFunc(all, func(f source.Frame) bool { return !source.Machinery(source.PackageOf(f.Function)) })
		return ex.OnlyRuns(id) || i >= 0 && ex.Engine.Settings.Runs(source.PackageOf(all[i].Function))
	})
	if len(waiting) == 0 {
		return ids
	}
	return waiting
}
