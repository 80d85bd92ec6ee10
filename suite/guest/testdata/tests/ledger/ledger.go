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

// A Desk has one key, and hands it to who waits for it.
type Desk struct {
	mu     sync.Mutex
	taken  bool
	waiter chan bool
}

// Take takes the key, or gives up when stop is closed: then it loses a key that it was handed.
func (d *Desk) Take(stop <-chan bool) bool {
	d.mu.Lock()
	if !d.taken {
		d.taken = true
		d.mu.Unlock()
		return true
	}
	w := make(chan bool, 1)
	d.waiter = w
	d.mu.Unlock()
	select {
	case <-w:
		return true
	case <-stop:
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiter = nil
	return false
}

// Give hands the key on, or puts it back.
func (d *Desk) Give() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiter != nil {
		d.waiter <- true
		d.waiter = nil
		return
	}
	d.taken = false
}

// Take returns what is in a channel that has something.
// It is so short that the compiler inlines it.
func Take(c chan int) {
	if len(c) > 0 {
		<-c
	}
}
