// Package build finds the packages that patterns name, and makes their test binaries.
package build

import "strings"

// A How says how packages are found and built.
type How struct {
	Dir         string   // where the go command runs
	Tags, Flags []string // build tags, and further flags of the go command
	Vet         string   // which checks go vet makes first; "" are those of go test
	NoRace      bool
	Cache       string            // see toolchain.Request.Cache
	Progress    func(line string) // likewise
}

// GoFlags are the flags of the go command by which a package is found and built.
func (h How) GoFlags() (flags []string) {
	if len(h.Tags) > 0 {
		flags = append(flags, "-tags="+strings.Join(h.Tags, ","))
	}
	return append(flags, h.Flags...)
}
