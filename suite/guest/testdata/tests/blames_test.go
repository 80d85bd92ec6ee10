package tests

import (
	"sync"
	"testing"

	"log/tests/ledger"
)

func TestLocksTwice(t *testing.T) {
	var a, b ledger.Account
	var wg sync.WaitGroup
	wg.Go(func() { a.Twice() })
	wg.Go(func() { ledger.Move(&a, &b, 1) })
	wg.Wait()
}

func TestMovesInParts(t *testing.T) {
	var a, b ledger.Account
	var wg sync.WaitGroup
	wg.Go(func() { ledger.Move(&a, &b, 1) })
	wg.Go(func() {
		if sum := ledger.Sum(&a, &b); sum != 0 {
			t.Errorf("the sum is %d", sum)
		}
	})
	wg.Wait()
}
