package tests

import (
	"testing"
	"time"
)

// leaves does what explore.Test does in a test that runs under control already.
func leaves(tb testing.TB) bool {
	host, ok := tb.(interface{ JacquardExplores() bool })
	return ok && host.JacquardExplores()
}

func TestOwn(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		if !leaves(t) {
			t.Log("by itself")
		}
	})
}

func TestOwnAndWrong(t *testing.T) {
	if !leaves(t) {
		t.Error("wrong by itself")
	}
}

// TestLongByItself takes longer than its share of a small budget.
func TestLongByItself(t *testing.T) {
	if !leaves(t) {
		time.Sleep(3 * time.Second)
	}
}

// FuzzOwn explores by itself, as explore.Fuzz does.
func FuzzOwn(f *testing.F) {
	f.Add("seed")
	f.Fuzz(func(t *testing.T, s string) {
		if !leaves(t) {
			t.Log("by itself")
		}
	})
}
