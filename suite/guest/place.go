package guest

import (
	"os"
	"slices"
	"strings"
)

// A place is what tests may change of their process, and find as it was in the
// next schedule: an execution that fails does not come to its clean-ups.
type place struct {
	known  bool
	dir    string
	env    []string
	args   []string
	opened map[int]string // not by tests
}

// note keeps how things are.
func (p *place) note() {
	p.known = true
	p.dir, _ = os.Getwd() // "" if there is none: then there is nowhere to go back to
	p.env = os.Environ()
	p.args = slices.Clone(os.Args)
	p.opened = descriptors()
}

// restore makes things as they were.
func (p *place) restore() {
	if dir, _ := os.Getwd(); dir != p.dir && p.dir != "" {
		_ = os.Chdir(p.dir) // if it is gone, the next test will say so
	}
	os.Args = slices.Clone(p.args)
	if slices.Equal(os.Environ(), p.env) {
		return
	}
	os.Clearenv()
	for _, entry := range p.env {
		if i := strings.Index(entry[1:], "=") + 1; i > 0 { // Windows has names that begin with =
			_ = os.Setenv(entry[:i], entry[i+1:]) // it was set before
		}
	}
}
