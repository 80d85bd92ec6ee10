package source

// Inner reports whether an operation that is part of functions of package sync,
// innermost first, is none that the program sees.
func Inner(functions []string, atomic string) bool {
	_, kind, _ := syncOperation(functions, atomic, Steps{})
	return kind == SiteInner
}
