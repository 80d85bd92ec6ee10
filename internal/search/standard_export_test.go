package search

import (
	"github.com/jacquard-go/jacquard/internal/source"
)

// Utility reports whether what a package does inside is of no interest.
func Utility(pkg string) bool { return source.Utility(pkg) }

// Machinery reports whether what a package does is its caller's doing.
func Machinery(pkg string) bool { return source.Machinery(pkg) }

// Assemblies are the packages, of functions in assembly, of which something is to be
// said.
func Assemblies(functions []string) []string { return inAssembly(functions) }
