package explore_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
)

// Operations are on the objects that they must be on: named by kind and
// number, and as changes (!), reads (?) or releases (-).
func TestObjects(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, body := range bodies.Operations() {
		got, err := explore.Objects(explore.Config{Name: name}, body.Run)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(got, " "); text != body.Want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, text, body.Want)
		}
	}
}

func TestConflicts(t *testing.T) {
	on := func(object uint32, m explore.Mode) explore.Operation {
		return explore.Operation{Object: object, Mode: m}
	}
	both := explore.Operation{Object: 3, More: []explore.Access{{Object: 2, Mode: explore.Reads}}}
	for _, c := range []struct {
		name string
		a, b explore.Operation
		want bool
	}{
		{"two changes", on(2, explore.Changes), on(2, explore.Changes), true},
		{"two objects", on(2, explore.Changes), on(3, explore.Changes), false},
		{"two reads", on(2, explore.Reads), on(2, explore.Reads), false},
		{"two releases", on(2, explore.Releases), on(2, explore.Releases), false},
		{"a read and a release", on(2, explore.Reads), on(2, explore.Releases), true},
		{"a change and a read", on(2, explore.Changes), on(2, explore.Reads), true},
		{"nothing and a change", explore.Operation{}, on(2, explore.Changes), false},
		{"nothing and nothing", explore.Operation{}, explore.Operation{}, false},
		{"anything and nothing", explore.Operation{All: true}, explore.Operation{}, true},
		{"the second of two", both, on(2, explore.Changes), true},
		{"a read of the second of two", both, on(2, explore.Reads), false},
		{"two on the same", both, both, true},
	} {
		if got := c.a.Conflicts(c.b); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
		if got := c.b.Conflicts(c.a); got != c.want {
			t.Errorf("%s, the other way: got %t", c.name, got)
		}
	}
}
