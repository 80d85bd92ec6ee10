package cputime_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/cputime"
)

// Spent grows while the process works.
func TestSpent(t *testing.T) {
	before := cputime.Spent()
	for cputime.Spent() == before {
	}
	if after := cputime.Spent(); after < before {
		t.Errorf("got %v after %v, want it to grow", after, before)
	}
}
