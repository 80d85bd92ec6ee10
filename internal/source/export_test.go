package source

// Inner reports whether an operation that is part of functions of package sync,
// innermost first, is none that the program sees.
func Inner(functions []string, atomic string) bool {
	_, kind, _ := syncOperation(functions, atomic, Steps{})
	return kind == SiteInner
}

// OnlyCaches reports whether what a package synchronises is left out, but for what is
// observed there.
func OnlyCaches(pkg string) bool {
	return Matches(trusted, pkg) && !Matches(effective, pkg) && !Matches(gathered, pkg)
}

// Observed reports whether a function is observed.
func Observed(function string) bool { return (&Site{User: Frame{Function: function}}).observed() }
