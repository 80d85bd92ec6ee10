package account

import (
	"sync"
	"testing"
)

func TestWithdraw(t *testing.T) {
	var a Account
	a.balance.Store(100)
	var wg sync.WaitGroup
	wg.Go(func() { a.Withdraw(80) })
	wg.Go(func() { a.Withdraw(70) })
	wg.Wait()
	if left := a.balance.Load(); left < 0 {
		t.Errorf("%d left", left)
	}
}
