package explored_test

import (
	"strings"
	"testing"

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
