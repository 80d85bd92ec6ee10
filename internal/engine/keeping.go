package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A Keeping detects whether executions of one process share state between goroutines:
// whether consecutive ones access an object that was not collected in between, as with a
// package variable. Only the first execution finds it in its initial state.
type Keeping struct {
	Found       bool
	before, now map[uintptr]bool // whether addresses were used; now is nil except in an execution that is observed
}

// Begin starts the observation of an execution; End ends it.
func (k *Keeping) Begin() { k.now = make(map[uintptr]bool) }

func (k *Keeping) End() {
	for addr, used := range k.now {
		k.Found = k.Found || used && k.before[addr]
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

// note records the operation that m does next. To receive from a channel that was never
// seen open changes nothing: one is the Done of every context that is cancelled already.
func (k *Keeping) note(m *control.Task, at *source.Site) {
	if m.Addr != 0 && !at.Trusted && !source.Standard(at.Package) && !control.OnStack(m.Addr) {
		idle := (m.Op == control.OpRecv || m.Op == control.OpTryRecv) && control.Drained(m.Addr)
		k.now[m.Addr] = !idle || k.now[m.Addr] || k.before[m.Addr]
	}
}
