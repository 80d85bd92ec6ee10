// Package ledger has bugs that are the code's, whatever its tests do.
package ledger

import "sync"

// An Account can be used by several goroutines.
type Account struct {
	mu sync.RWMutex
	n  int
}

func (a *Account) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n += n
}

// Balance returns what is in an account.
func (a *Account) Balance() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.n
}

// Twice takes the lock a second time while it has it.
func (a *Account) Twice() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.Balance() + a.n
}

// Move takes money out of one account, and only then puts it into another one.
func Move(from, to *Account, n int) {
	from.add(-n)
	to.add(n)
}

// Sum returns what is in both accounts.
func Sum(a, b *Account) int { return a.Balance() + b.Balance() }
