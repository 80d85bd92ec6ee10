package source

import "testing"

// Functions without names are ordered as in the source by their numbers, if these decide.
func TestClosureOrder(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		order int
		ok    bool
	}{
		{"m.Test", "m.Test", 0, true},
		{"m.Test.func1", "m.Test.func2", -1, true},
		{"m.Test.func10", "m.Test.func9", 1, true},
		{"m.Test.func1.1", "m.Test.func2", -1, true},
		{"m.Test.func2.1", "m.Test.func2.2", -1, true},
		{"m.Test", "m.Test.func1", 0, false},
		{"m.Test.func1", "m.Test.gowrap1", 0, false},
		{"m.One.func1", "m.Two.func1", 0, false},
	} {
		if order, ok := closureOrder(c.a, c.b); ok != c.ok || ok && order != c.order {
			t.Errorf("%s, %s: got %d, %v, want %d, %v", c.a, c.b, order, ok, c.order, c.ok)
		}
	}
}
