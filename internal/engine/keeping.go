package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A Keeping detects whether executions of one process share state between goroutines:
// whether consecutive executions access the same address and its object was not
// collected in between, as with a package variable. Only the first execution finds such
// an object in its initial state.
type Keeping struct {
	Found       bool
	before, now map[uintptr]bool // accessed addresses; now is nil except in an execution that is observed
}

// Begin starts the observation of an execution; End ends it.
func (k *Keeping) Begin() { k.now = make(map[uintptr]bool) }

func (k *Keeping) End() {
	for addr := range k.now {
		k.Found = k.Found || k.before[addr]
	}
	k.before, k.now = k.now, nil
}

// collected is called after each garbage collection.
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
