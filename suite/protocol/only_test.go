package protocol_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

func TestOnly(t *testing.T) {
	for _, c := range []struct{ run, want string }{
		{"", "^TestA$"},
		{"A", "^TestA$"},
		{"B", "^TestA$"}, // then nobody asks
		{"B/x", "^TestA$"},
		{"Test/x", "^TestA$/x"},
		{"Test/x/^y$", "^TestA$/x/^y$"},
		{"/x", "^TestA$/x"},
		{"B/y|A/x", "^TestA$/x"},
		{"A/x|A/y", "^TestA$/x|^TestA$/y"},
		{"A/x|A", "^TestA$/x|^TestA$"},
		{"A|A/x", "^TestA$"},
		{"(A|B)/x", "^TestA$/x"},
		{"(B|C)/x|Test[A/|]/[x/(]", "^TestA$/[x/(]"},
		{`A\/|B|A/x\|y`, `^TestA$/x\|y`},
		{"*/x", "^TestA$"}, // package testing refuses it
	} {
		if got := protocol.Only(c.run, "TestA"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.run, got, c.want)
		}
	}
}
