package search

import (
	"github.com/jacquard-go/jacquard/internal/source"
)

// Utility reports whether the inner operations of a package are of no interest in reports.
func Utility(pkg string) bool { return source.Utility(pkg) }

// Machinery reports whether a package's operations are attributed to its caller.
func Machinery(pkg string) bool { return source.Machinery(pkg) }

// Assemblies returns the packages with assembly that a result has to mention, given
// names of functions.
func Assemblies(functions []string) []string { return inAssembly(functions) }
