package suite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
)

// What a change touches is run first, and has four times the share of others.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		cfg  suite.Config
		want string
	}{
		{suite.Config{Total: 8 * time.Second}, "a 2s, none 2.333s, b 2.333s, c 2.917s, d 4.375s"},
		{suite.Config{Total: 8 * time.Second, First: []string{"c", "x", "b"}}, "c 3.2s, b 4.267s, a 2.133s, none 3.2s, d 3.2s"},
		{suite.Config{Budget: time.Second, First: []string{"d"}}, "d 1s, a 1s, none 1s, b 1s, c 1s"},
	} {
		if got := strings.Join(suite.Shares(c.cfg, "a", "none", "b", "c", "d"), ", "); got != c.want {
			t.Errorf("%v, first %v: got %s, want %s", c.cfg.Total, c.cfg.First, got, c.want)
		}
	}
}
