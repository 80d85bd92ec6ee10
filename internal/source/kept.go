package source

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// stateless are functions of the standard library whose data are their callers': what one of
// them reads or writes, the program may well have made.
var stateless = []string{
	"bufio.(*", "bytes.(*", "container/heap.", "container/list.(*", "container/ring.(*", "maps.", "math/big.(*Float)", "math/big.(*Int)", "math/big.(*Rat)",
	"slices.", "sort.", "strings.(*Builder)", "strings.(*Reader)",
}

// tellOwn tells the runtime's half which functions are the program's own.
func tellOwn(trust []string) {
	control.SetOwn(strings.Join(trust, " "), func(function string) bool { return keeps(function, trust) })
}

// keeps reports whether an access of a function to what outlives a schedule is the program's own.
// Of state that other code both writes and reads, the program sees nothing: caches of types.
func keeps(function string, trust []string) bool {
	pkg := PackageOf(function)
	if Standard(pkg) {
		return slices.ContainsFunc(stateless, func(f string) bool { return strings.HasPrefix(function, f) })
	}
	return Own(pkg) && !Matches(trust, pkg)
}
