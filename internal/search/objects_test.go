package search_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
)

// Each operation has the expected objects, named by kind and number, with a mode: changes
// (!), reads (?), releases (-), counts (+), awaits (.), sends (>), receives (<), takes "(",
// frees ")", shares (r), returns (u) or enters (e).
func TestObjects(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, body := range programs.Operations() {
		got, err := search.Objects(search.Config{Name: name}, body.Run)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(got, " "); text != body.Want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, text, body.Want)
		}
	}
}

func TestConflicts(t *testing.T) {
	on := func(object uint32, m schedule.Mode) schedule.Operation {
		return schedule.Operation{Object: object, Mode: m}
	}
	both := schedule.Operation{Object: 3, More: []schedule.Access{{Object: 2, Mode: schedule.Reads}}}
	for _, c := range []struct {
		name string
		a, b schedule.Operation
		want bool
	}{
		{"two changes", on(2, schedule.Changes), on(2, schedule.Changes), true},
		{"two objects", on(2, schedule.Changes), on(3, schedule.Changes), false},
		{"two reads", on(2, schedule.Reads), on(2, schedule.Reads), false},
		{"two releases", on(2, schedule.Releases), on(2, schedule.Releases), false},
		{"a read and a release", on(2, schedule.Reads), on(2, schedule.Releases), true},
		{"two sends", on(2, schedule.Sends), on(2, schedule.Sends), true},
		{"two receives", on(2, schedule.Receives), on(2, schedule.Receives), true},
		{"a send and a receive", on(2, schedule.Sends), on(2, schedule.Receives), false},
		{"to lock and to lock to read", on(2, schedule.Takes), on(2, schedule.Shares), true},
		{"to lock and to give back what was read", on(2, schedule.Takes), on(2, schedule.Returns), false},
		{"to lock to read and to give that back", on(2, schedule.Shares), on(2, schedule.Returns), false},
		{"to lock to read and to unlock", on(2, schedule.Shares), on(2, schedule.Frees), false},
		{"two who lock", on(2, schedule.Takes), on(2, schedule.Takes), true},
		{"to lock and to unlock", on(2, schedule.Takes), on(2, schedule.Frees), true},
		{"a change and what was read given back", on(2, schedule.Changes), on(2, schedule.Returns), true},
		{"a change and a read", on(2, schedule.Changes), on(2, schedule.Reads), true},
		{"nothing and a change", schedule.Operation{}, on(2, schedule.Changes), false},
		{"nothing and nothing", schedule.Operation{}, schedule.Operation{}, false},
		{"anything and nothing", schedule.Operation{All: true}, schedule.Operation{}, true},
		{"the second of two", both, on(2, schedule.Changes), true},
		{"a read of the second of two", both, on(2, schedule.Reads), false},
		{"two on the same", both, both, true},
	} {
		if got := c.a.Conflicts(c.b); got != c.want {
			t.Errorf("%s: got a conflict: %t, want the opposite", c.name, got)
		}
		if got := c.b.Conflicts(c.a); got != c.want {
			t.Errorf("%s, exchanged: got a conflict: %t, want the opposite", c.name, got)
		}
	}
}
