package search

import (
	"github.com/jacquard-go/jacquard/internal/source"
)

// Utility reports whether reports omit the inner operations of a package.
func Utility(pkg string) bool { return source.Utility(pkg) }

// Machinery reports whether a package's operations are attributed to its caller.
func Machinery(pkg string) bool { return source.Machinery(pkg) }

// Assemblies returns the packages of the named functions whose assembly a result has to
// mention.
func Assemblies(functions []string) []string { return inAssembly(functions) }
