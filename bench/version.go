package bench

import (
	_ "embed"
	"strings"
)

//go:embed go.mod
var modfile string

// Version returns the version of a module that this one requires, such as "v3.5.1", or "" if it does not require it.
func Version(module string) string { return version(modfile, module) }

func version(modfile, module string) string {
	for line := range strings.Lines(modfile) {
		words := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(words) >= 2 && words[0] == module {
			return words[1]
		}
	}
	return ""
}
