package litmus_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jacquard-go/jacquard/internal/litmus"
)

func op(verb litmus.Verb, on, arg int) litmus.Op { return litmus.Op{Verb: verb, On: on, Arg: arg} }

// many returns a program that starts the tasks one after the other.
func many(objects []litmus.Object, tasks ...[]litmus.Op) litmus.Program {
	var starts []litmus.Op
	for i := range tasks {
		starts = append(starts, litmus.Op{Verb: litmus.Start, Arg: i + 1})
	}
	return litmus.Program{Objects: objects, Tasks: append([][]litmus.Op{starts}, tasks...)}
}

// The enumerator allows exactly the known outcomes of classic programs.
func TestEnumerate(t *testing.T) {
	ints := []litmus.Object{{Kind: litmus.Int}, {Kind: litmus.Int}}
	for _, c := range []struct {
		name    string
		program litmus.Program
		want    []string // the results of the two tasks
	}{
		{"store buffering", many(ints,
			[]litmus.Op{op(litmus.Store, 0, 1), op(litmus.Load, 1, 0)},
			[]litmus.Op{op(litmus.Store, 1, 1), op(litmus.Load, 0, 0)}),
			[]string{"[0 0] [0 1]", "[0 1] [0 0]", "[0 1] [0 1]"}},
		{"message passing", many(ints,
			[]litmus.Op{op(litmus.Store, 0, 1), op(litmus.Store, 1, 1)},
			[]litmus.Op{op(litmus.Load, 1, 0), op(litmus.Load, 0, 0)}),
			[]string{"[0 0] [0 0]", "[0 0] [0 1]", "[0 0] [1 1]"}},
		{"one Done too many", many([]litmus.Object{{Kind: litmus.Group, Size: 1}},
			[]litmus.Op{op(litmus.Done, 0, 0)}, []litmus.Op{op(litmus.Done, 0, 0)}),
			[]string{"[0] [-2]", "[-2] [0]"}},
		{"a receiver that is too late", many([]litmus.Object{{Kind: litmus.Chan}},
			[]litmus.Op{op(litmus.TrySend, 0, 7)}, []litmus.Op{op(litmus.Recv, 0, 0)}),
			[]string{"[-4] [-1]", "[0] [7]"}},
		{"a lock that is tried in between", many([]litmus.Object{{Kind: litmus.RWMutex}},
			[]litmus.Op{op(litmus.Lock, 0, 0), op(litmus.Unlock, 0, 0)},
			[]litmus.Op{{Verb: litmus.TryRLock, Skip: 1}, op(litmus.RUnlock, 0, 0), {Verb: litmus.TryLock, Skip: 1}, op(litmus.Unlock, 0, 0)}),
			[]string{"[0 0] [0 -5 0 -5]", "[0 0] [0 -5 1 0]", "[0 0] [1 0 0 -5]", "[0 0] [1 0 1 0]"}},
	} {
		got, _, err := litmus.Enumerate(c.program, 0, 10_000)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		texts := make(map[string]bool)
		for o := range got {
			texts[string(o)] = true
		}
		for _, want := range c.want {
			if want = whole(c.program, want); !texts[want] {
				t.Errorf("%s: got %v, want %s among them", c.name, got, want)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: got %d outcomes %v, want %d", c.name, len(got), got, len(c.want))
		}
	}
	if _, _, err := litmus.Enumerate(litmus.Generate(1), 0, 2); !errors.Is(err, litmus.ErrTooLarge) {
		t.Errorf("got %v, want %v", err, litmus.ErrTooLarge)
	}
}

// whole returns the outcome that begins with the results of two tasks, and in which each
// Int object ends with the value of a store of 1.
func whole(p litmus.Program, results string) string {
	finals := []int{}
	for _, o := range p.Objects {
		if o.Kind == litmus.Int {
			finals = append(finals, 1)
		}
	}
	return fmt.Sprintf("[0 0] %s %v", results, finals)
}

// Shrink keeps the part that fails, and only that.
func TestShrink(t *testing.T) {
	for seed := range uint64(50) {
		p := litmus.Generate(seed)
		uses := func(q litmus.Program) bool {
			n := 0
			for _, ops := range q.Tasks[1:] {
				n += len(ops)
			}
			return n > 0
		}
		small := litmus.Shrink(p, uses)
		n := 0
		for _, ops := range small.Tasks {
			n += len(ops)
		}
		if n > 4 { // a start, and the smallest section
			t.Errorf("seed %d: got\n%s\nwant a program of one part", seed, small)
		}
	}
}
