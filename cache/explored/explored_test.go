package explored_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/cache/explored"
	"github.com/jacquard-go/jacquard/explore"
)

// Clients create, change and read a key, and one closes the cache meanwhile: the history is linearizable.
func TestCalls(t *testing.T) {
	cfg := explore.Config{Plan: []explore.Stage{
		{Strategy: explore.POS(), Schedules: 50},
		{Strategy: explore.PCT(0), Schedules: 50},
		{Strategy: explore.DepthFirst(2), Schedules: 100},
	}}
	for _, threads := range [][]string{
		{"hg", "sg"}, {"cg", "sg"}, {"cg", "dg"}, {"fg", "hg"}, {"lg", "cg"}, {"bg", "sg"}, {"gw", "gw"}, {"sw", "du"}, {"hg", "ig"}, {"hg", "xg"},
		{"pq", "dc"}, {"mng", "j"}, {"jg", "cg"}, {"pq", "j"}, {"ar", "d"}, {"aar", "hs"}, {"ac", "xd"}, {"sa", "bw"},
	} {
		t.Run(strings.Join(threads, ","), func(t *testing.T) {
			explore.Test(t, cfg, func(t *explore.T) { explored.Linearizable(t, threads) })
		})
	}
}

// loom is a value that counts how often it is closed.
type loom struct{ closed atomic.Int32 }

func (l *loom) Close() error {
	l.closed.Add(1)
	return nil
}

// An object that is offered to the cache again, and not taken, is closed once, when the entry that holds it lets go of it.
func TestObjectNotTaken(t *testing.T) {
	type looms = *cache.Cache[string, *loom]
	drop := func(c looms) { c.Delete("held") }
	shut := func(c looms) { _ = c.Close() }
	for name, of := range map[string]struct {
		offer func(looms, *loom)
		end   func(looms)
	}{
		"filled too late, deleted": {func(c looms, l *loom) { c.Fill("other", l, cache.Stamp{}) }, drop},
		"set, closed":              {func(c looms, l *loom) { _ = c.Set("other", l) }, shut},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := explore.Config{Plan: []explore.Stage{{Strategy: explore.DepthFirst(1), Schedules: 400}}}
			explore.Test(t, cfg, func(t *explore.T) {
				c, err := cache.New(cache.Config[string, *loom]{})
				if err != nil {
					t.Fatal(err)
				}
				l := new(loom)
				_ = c.Set("held", l)
				t.Go("offers", func() { of.offer(c, l) })
				t.Go("ends", func() { of.end(c) })
				t.Wait()
				_ = c.Close()
				if n := l.closed.Load(); n != 1 {
					t.Errorf("got it closed %d times, want once", n)
				}
			})
		})
	}
}
