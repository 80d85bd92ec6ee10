// Package build finds the packages that patterns name, and makes their test binaries.
package build

import "strings"

// A How configures how packages are found and built.
type How struct {
	Dir         string   // where the go command runs
	Tags, Flags []string // build tags, and further flags of the go command
	Vet         string   // the checks that go vet makes first; "" means those of go test
	NoRace      bool
	Cache       string            // see toolchain.Request.Cache
	Progress    func(line string) // see toolchain.Request.Progress
}

// GoFlags returns the flags of the go command for finding and building packages.
func (h How) GoFlags() (flags []string) {
	if len(h.Tags) > 0 {
		flags = append(flags, "-tags="+strings.Join(h.Tags, ","))
	}
	return append(flags, h.Flags...)
}
