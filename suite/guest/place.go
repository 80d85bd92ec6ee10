package guest

import (
	"os"
	"slices"
	"strings"
)

// A place is the process state that tests may change and that is restored for the next schedule,
// because a failing execution does not run its clean-ups.
type place struct {
	known  bool
	dir    string
	env    []string
	args   []string
	opened map[int]string // descriptors not opened by tests
}

// note records the present state.
func (p *place) note() {
	p.known = true
	p.dir, _ = os.Getwd() // "" if there is none, and so none to return to
	p.env = os.Environ()
	p.args = slices.Clone(os.Args)
	p.opened = descriptors()
}

// restore restores the recorded state.
func (p *place) restore() {
	if dir, _ := os.Getwd(); dir != p.dir && p.dir != "" {
		_ = os.Chdir(p.dir) // if it is gone, the next test will report it
	}
	os.Args = slices.Clone(p.args)
	if slices.Equal(os.Environ(), p.env) {
		return
	}
	os.Clearenv()
	for _, entry := range p.env {
		if i := strings.Index(entry[1:], "=") + 1; i > 0 { // names may begin with = on Windows
			_ = os.Setenv(entry[:i], entry[i+1:]) // it was set before, so it is valid
		}
	}
}
