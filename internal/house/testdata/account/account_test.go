package account

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

func TestWithdraw(t *testing.T) {
	explore.Test(t, explore.Config{}, func(t *explore.T) {
		var a Account
		a.balance.Store(100)
		t.Go("rent", func() { a.Withdraw(80) })
		t.Go("food", func() { a.Withdraw(70) })
		t.Wait()
		if left := a.balance.Load(); left < 0 {
			t.Errorf("%d left", left)
		}
	})
}
