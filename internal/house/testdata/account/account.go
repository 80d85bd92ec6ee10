// Package account is the example of the README: an account that can be
// overdrawn, though the race detector has nothing to say about it.
package account

import "sync/atomic"

// An Account holds money.
type Account struct{ balance atomic.Int64 }

// Withdraw takes n out, if there is that much.
func (a *Account) Withdraw(n int64) bool {
	if a.balance.Load() < n {
		return false
	}
	a.balance.Add(-n)
	return true
}
