package programs

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// Edits are changes of one program, which can be combined. Without
// them the program fails: it checks and changes the balance in two critical
// sections.
type Edits struct {
	Elsewhere bool // another goroutine takes another lock
	InFront   bool // another lock is taken and released first, in the same function
	OnceMore  bool // the same lock is taken and released first
	Less      bool // the balance is not checked before the goroutines are started
	Another   bool // another goroutine is started first
	Renamed   bool // the goroutines have other names
	Moved     bool // the code is in another function
	Rechecked bool // the balance is checked again before it is changed
	Locked    bool // everything is one critical section
	Atomic    bool // the balance is changed by one atomic operation
	Panics    bool // the failure is a panic
	Reworded  bool // the failure has another message
	Unnamed   bool // the goroutines are started by go statements
}

type purse struct {
	e        Edits
	mu, log  sync.Mutex
	balance  int
	atomic   atomic.Int64
	finished sync.WaitGroup
}

// Edited returns the program with the edits applied.
func Edited(e Edits) func(*explore.T) {
	return func(t *explore.T) {
		a := &purse{e: e, balance: 100}
		a.atomic.Store(100)
		if !e.Less {
			a.enough(1)
		}
		if e.Another {
			t.Go("clerk", func() { a.enough(1) })
		}
		rent, food := "rent", "food"
		if e.Renamed {
			rent, food = "housing", "eating"
		}
		a.start(t, rent, 80)
		a.start(t, food, 70)
		t.Wait()
		a.finished.Wait()
		a.check(t)
	}
}

func (a *purse) start(t *explore.T, name string, n int) {
	withdraw := a.withdraw
	if a.e.Moved {
		withdraw = a.draw
	}
	if a.e.Unnamed {
		a.finished.Add(1)
		go func() {
			defer a.finished.Done()
			withdraw(n)
		}()
		return
	}
	t.Go(name, func() { withdraw(n) })
}

func (a *purse) check(t *explore.T) {
	left := min(a.balance, int(a.atomic.Load()))
	switch {
	case left >= 0:
	case a.e.Panics:
		panic("overdrawn")
	case a.e.Reworded:
		t.Errorf("the account is overdrawn: %d", left)
	default:
		t.Errorf("%d left", left)
	}
}

func (a *purse) enough(n int) bool {
	if a.e.Elsewhere {
		a.log.Lock()
		defer a.log.Unlock()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance >= n
}

func (a *purse) withdraw(n int) {
	if a.e.InFront {
		a.log.Lock()
		//lint:ignore SA2001 it is one operation more
		a.log.Unlock()
	}
	if a.e.OnceMore {
		a.mu.Lock()
		//lint:ignore SA2001 it is one operation more
		a.mu.Unlock()
	}
	if a.e.Atomic {
		if a.atomic.Add(-int64(n)) < 0 {
			a.atomic.Add(int64(n))
		}
		return
	}
	a.mu.Lock()
	enough := a.balance >= n
	if !a.e.Locked {
		a.mu.Unlock()
		a.mu.Lock()
	}
	if a.e.Rechecked {
		enough = a.balance >= n
	}
	if enough {
		a.balance -= n
	}
	a.mu.Unlock()
}

// draw is withdraw under another name.
func (a *purse) draw(n int) {
	a.mu.Lock()
	enough := a.balance >= n
	a.mu.Unlock()
	a.mu.Lock()
	if enough {
		a.balance -= n
	}
	a.mu.Unlock()
}
