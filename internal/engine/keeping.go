package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A Keeping tells whether executions of one process share what goroutines share in them:
// whether the program works on something at one address in two that follow one another,
// and that was not collected in between: it is the same thing, as of a package variable.
// Only the first execution finds it as the program's start has left it.
type Keeping struct {
	Found       bool
	before, now map[uintptr]bool // now is nil but in an execution that is looked at
}

// Begin is called before an execution that is to be looked at, and End behind it.
func (k *Keeping) Begin() { k.now = make(map[uintptr]bool) }

func (k *Keeping) End() {
	for addr := range k.now {
		k.Found = k.Found || k.before[addr]
	}
	k.before, k.now = k.now, nil
}

// collected is called behind each collection of garbage.
func (k *Keeping) collected() {
	if _, known := control.Collections(); !known {
		k.before = nil
	}
	source.ForgetFreed(k.before)
}

func (k *Keeping) note(at *source.Site, addr uintptr) {
	if addr != 0 && !at.Trusted && !source.Standard(at.Package) && !control.OnStack(addr) {
		k.now[addr] = true
	}
}
