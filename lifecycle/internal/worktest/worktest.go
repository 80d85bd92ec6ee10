// Package worktest runs the tests of packages above lifecycle on every kind of store, as storetest
// does for those below it. It is for tests only.
package worktest

import (
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// Each runs a test on a new store of each kind. The unit of work is nil in
// memory.
func Each(t *testing.T, test func(t *testing.T, work *lifecycle.UnitOfWork)) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		if url == "" {
			test(t, nil)
			return
		}
		test(t, On(t, url))
	})
}

// On returns a unit of work on a database, with an engine of its own that is
// closed with the test and does not sync to the disk.
func On(t *testing.T, url string) *lifecycle.UnitOfWork {
	t.Helper()
	return lifecycle.NewUnitOfWork(storetest.Engines(t), url)
}
