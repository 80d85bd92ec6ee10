package litmus_test

import (
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/litmus"
)

// kept are the smallest programs of past disagreements.
var kept = []struct {
	name    string
	program litmus.Program
}{
	{"a select that waits twice for one channel", many([]litmus.Object{{Kind: litmus.Chan}},
		[]litmus.Op{{Verb: litmus.Select, Cases: []litmus.Case{{}, {}}}},
		[]litmus.Op{op(litmus.TrySend, 0, 1)})},
	{"a select that waits twice to send", many([]litmus.Object{{Kind: litmus.Chan}},
		[]litmus.Op{{Verb: litmus.Select, Cases: []litmus.Case{{Send: true, Arg: 1}, {Send: true, Arg: 2}}}},
		[]litmus.Op{op(litmus.TryRecv, 0, 0)})},
	{"a task that is left in WaitGroup.Wait", many([]litmus.Object{{Kind: litmus.Group, Size: 1}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Load, 1, 0), op(litmus.Wait, 0, 0)},
		[]litmus.Op{op(litmus.Load, 1, 0)})},
	{"a task that is left in RWMutex.Lock", many([]litmus.Object{{Kind: litmus.RWMutex}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.RLock, 0, 0)},
		[]litmus.Op{op(litmus.Load, 1, 0), op(litmus.Lock, 0, 0)})},
	{"a task that is left in RWMutex.RLock", many([]litmus.Object{{Kind: litmus.RWMutex}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Lock, 0, 0)},
		[]litmus.Op{op(litmus.Load, 1, 0), op(litmus.RLock, 0, 0)})},
	{"Done, and one Done too many, beside a Wait", many([]litmus.Object{{Kind: litmus.Group, Size: 1}},
		[]litmus.Op{op(litmus.Wait, 0, 0)}, []litmus.Op{op(litmus.Done, 0, 0)}, []litmus.Op{op(litmus.Done, 0, 0)})},
	{"Add beside the last Done and a Wait", many([]litmus.Object{{Kind: litmus.Group, Size: 1}},
		[]litmus.Op{op(litmus.Wait, 0, 0)}, []litmus.Op{op(litmus.Done, 0, 0)}, []litmus.Op{op(litmus.GroupAdd, 0, 0)})},
	{"a wait group used again before the second waiter has gone on", many([]litmus.Object{{Kind: litmus.Group, Size: 1}},
		[]litmus.Op{op(litmus.Wait, 0, 0)}, []litmus.Op{op(litmus.Wait, 0, 0), op(litmus.GroupAdd, 0, 0), op(litmus.Done, 0, 0)},
		[]litmus.Op{op(litmus.Done, 0, 0)})},
	{"a send behind a receive that has made room", many([]litmus.Object{{Kind: litmus.Chan, Size: 1}},
		[]litmus.Op{op(litmus.Send, 0, 1)}, []litmus.Op{op(litmus.Len, 0, 0)}, []litmus.Op{op(litmus.Send, 0, 2), op(litmus.Recv, 0, 0)})},
	{"two who receive from one who sends twice", many([]litmus.Object{{Kind: litmus.Chan}},
		[]litmus.Op{op(litmus.Recv, 0, 0)}, []litmus.Op{op(litmus.Send, 0, 2), op(litmus.Send, 0, 1)}, []litmus.Op{op(litmus.Recv, 0, 0)})},
	{"one who receives, and sends then", many([]litmus.Object{{Kind: litmus.Chan}},
		[]litmus.Op{op(litmus.Send, 0, 3)}, []litmus.Op{op(litmus.Recv, 0, 0), op(litmus.Send, 0, 2)}, []litmus.Op{op(litmus.Recv, 0, 0)})},
	{"a lock that is wanted where a schedule is given up, and tried", many([]litmus.Object{{Kind: litmus.Mutex}, {Kind: litmus.Chan}},
		[]litmus.Op{{Verb: litmus.TryLock, Skip: 1}, op(litmus.Unlock, 0, 0)},
		[]litmus.Op{{Verb: litmus.Select, Arg: 2, Cases: []litmus.Case{{On: 1}, {On: 1, Send: true, Arg: 3}}}, op(litmus.Lock, 0, 0), op(litmus.Unlock, 0, 0)},
		[]litmus.Op{op(litmus.TryRecv, 1, 0), op(litmus.Lock, 0, 0), op(litmus.Send, 1, 3), op(litmus.Unlock, 0, 0)})},
	{"a lock that is wanted to write where a schedule is given up", many([]litmus.Object{{Kind: litmus.RWMutex}, {Kind: litmus.Chan, Size: 1}},
		[]litmus.Op{op(litmus.RLock, 0, 0), op(litmus.Send, 1, 2), op(litmus.RUnlock, 0, 0)},
		[]litmus.Op{op(litmus.Lock, 0, 0), op(litmus.Unlock, 0, 0)},
		[]litmus.Op{op(litmus.RLock, 0, 0), op(litmus.Close, 1, 0), op(litmus.RUnlock, 0, 0)})},
}

// small are the smallest programs that distinguish one kind of operation from another:
// they find most of the errors that bench/mutations plants in the explorer.
var small = []struct {
	name    string
	program litmus.Program
}{
	{"two that are alike, and swap twice", litmus.Program{Objects: []litmus.Object{{Kind: litmus.Int}}, Tasks: [][]litmus.Op{
		{{Verb: litmus.Start, Arg: 1, More: 1, Alike: true}},
		{op(litmus.Swap, 0, 1), op(litmus.Swap, 0, 2)}, {op(litmus.Swap, 0, 1), op(litmus.Swap, 0, 2)}}}},
	{"two that are started in a loop, and not alike", litmus.Program{Objects: []litmus.Object{{Kind: litmus.Int}}, Tasks: [][]litmus.Op{
		{{Verb: litmus.Start, Arg: 1, More: 1}}, {op(litmus.Swap, 0, 1)}, {op(litmus.Swap, 0, 2)}}}},
	{"two selects for one place", many([]litmus.Object{{Kind: litmus.Chan, Size: 1}},
		[]litmus.Op{{Verb: litmus.Select, Arg: 1, Cases: []litmus.Case{{Send: true, Arg: 1}, {Send: true, Arg: 2}}}},
		[]litmus.Op{{Verb: litmus.Select, Arg: 1, Cases: []litmus.Case{{Send: true, Arg: 1}, {Send: true, Arg: 2}}}})},
	{"a select that waits for two", many([]litmus.Object{{Kind: litmus.Chan}, {Kind: litmus.Chan}},
		[]litmus.Op{choice(0, 0, 1)}, []litmus.Op{{Verb: litmus.Sleep, Arg: 1}, op(litmus.TrySend, 0, 1)},
		[]litmus.Op{{Verb: litmus.Sleep, Arg: 1}, op(litmus.TrySend, 1, 2)})},
	{"a select that has two", many([]litmus.Object{{Kind: litmus.Chan, Size: 1}, {Kind: litmus.Chan, Size: 1}},
		[]litmus.Op{op(litmus.Send, 0, 1), op(litmus.Send, 1, 2), choice(0, 0, 1)})},
	{"close beside a send", many([]litmus.Object{{Kind: litmus.Chan, Size: 1}},
		[]litmus.Op{op(litmus.Close, 0, 0)}, []litmus.Op{op(litmus.TrySend, 0, 1)}, []litmus.Op{op(litmus.TryRecv, 0, 0)})},
	{"two who wait for a lock", many([]litmus.Object{{Kind: litmus.Mutex}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Lock, 0, 0), op(litmus.Add, 1, 1), op(litmus.Unlock, 0, 0)},
		[]litmus.Op{op(litmus.Lock, 0, 0), op(litmus.Load, 1, 0), op(litmus.Unlock, 0, 0)},
		[]litmus.Op{op(litmus.Lock, 0, 0), op(litmus.Load, 1, 0), op(litmus.Unlock, 0, 0)})},
	{"a lock that is tried", many([]litmus.Object{{Kind: litmus.Mutex}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Lock, 0, 0), op(litmus.Add, 1, 1), op(litmus.Unlock, 0, 0)},
		[]litmus.Op{op(litmus.Load, 1, 0), {Verb: litmus.TryLock, Skip: 1}, op(litmus.Unlock, 0, 0)})},
	{"a lock for readers that is tried", many([]litmus.Object{{Kind: litmus.RWMutex}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.RLock, 0, 0), op(litmus.Add, 1, 1), op(litmus.RUnlock, 0, 0)},
		[]litmus.Op{op(litmus.Load, 1, 0), {Verb: litmus.TryLock, Skip: 1}, op(litmus.Unlock, 0, 0)})},
	{"a lock for writers, seen in the midst of Unlock", many([]litmus.Object{{Kind: litmus.RWMutex}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Lock, 0, 0), op(litmus.Add, 1, 1), op(litmus.Unlock, 0, 0)},
		[]litmus.Op{op(litmus.Load, 1, 0), {Verb: litmus.TryRLock, Skip: 1}, op(litmus.RUnlock, 0, 0), {Verb: litmus.TryLock, Skip: 1}, op(litmus.Unlock, 0, 0)})},
	{"a signal for one of two", many([]litmus.Object{{Kind: litmus.Cond}},
		[]litmus.Op{op(litmus.CondLock, 0, 0), op(litmus.CondWait, 0, 0), op(litmus.CondUnlock, 0, 0)},
		[]litmus.Op{op(litmus.CondLock, 0, 0), op(litmus.CondWait, 0, 0), op(litmus.CondUnlock, 0, 0)},
		[]litmus.Op{op(litmus.Signal, 0, 0)})},
	{"halves of a word", many([]litmus.Object{{Kind: litmus.Word}},
		[]litmus.Op{op(litmus.Store, 0, 1)}, []litmus.Op{op(litmus.HighStore, 0, 2)}, []litmus.Op{op(litmus.LowAdd, 0, 1)}, []litmus.Op{op(litmus.Load, 0, 0)})},
	{"store buffering", many([]litmus.Object{{Kind: litmus.Int}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Store, 0, 1), op(litmus.Load, 1, 0)}, []litmus.Op{op(litmus.Store, 1, 1), op(litmus.Load, 0, 0)})},
	{"two writers and a reader", many([]litmus.Object{{Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Store, 0, 1)}, []litmus.Op{op(litmus.Store, 0, 2)}, []litmus.Op{op(litmus.Load, 0, 0), op(litmus.Load, 0, 0)})},
	{"an atomic.Value", many([]litmus.Object{{Kind: litmus.Value}},
		[]litmus.Op{op(litmus.Store, 0, 1)}, []litmus.Op{op(litmus.Swap, 0, 2)}, []litmus.Op{op(litmus.Load, 0, 0)})},
	{"Once, seen in its midst", many([]litmus.Object{{Kind: litmus.Int}, {Kind: litmus.Once}},
		[]litmus.Op{op(litmus.Do, 1, 0), op(litmus.Load, 0, 0)}, []litmus.Op{op(litmus.Load, 0, 0), op(litmus.Do, 1, 0)})},
	{"a wait group of two", many([]litmus.Object{{Kind: litmus.Group, Size: 2}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Add, 1, 1), op(litmus.Done, 0, 0)}, []litmus.Op{op(litmus.Done, 0, 0), op(litmus.Add, 1, 1)},
		[]litmus.Op{op(litmus.Wait, 0, 0), op(litmus.Load, 1, 0)})},
	{"Add beside a Done", many([]litmus.Object{{Kind: litmus.Group}}, []litmus.Op{op(litmus.GroupAdd, 0, 0)}, []litmus.Op{op(litmus.Done, 0, 0)})},
	{"Add and Done beside a Done and a Wait", many([]litmus.Object{{Kind: litmus.Group, Size: 1}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.GroupAdd, 0, 0), op(litmus.Add, 1, 1), op(litmus.Done, 0, 0)}, []litmus.Op{op(litmus.Done, 0, 0)},
		[]litmus.Op{op(litmus.Wait, 0, 0), op(litmus.Load, 1, 0)})},
	{"a send that is tried beside one that waits, and an addition", many([]litmus.Object{{Kind: litmus.Chan}, {Kind: litmus.Int}},
		[]litmus.Op{{Verb: litmus.TrySend, Arg: 1, Reflect: true}},
		[]litmus.Op{{Verb: litmus.Count, On: 1, Arg: 2, Last: true}, op(litmus.Recv, 0, 1)},
		[]litmus.Op{op(litmus.Store, 1, 3)}, []litmus.Op{op(litmus.Send, 0, 2)})},
	{"two who send, and one who receives the first of both", many([]litmus.Object{{Kind: litmus.Chan, Size: 2}, {Kind: litmus.Int}},
		[]litmus.Op{op(litmus.Send, 0, 1)}, []litmus.Op{op(litmus.Store, 1, 1), op(litmus.Send, 0, 2)},
		[]litmus.Op{op(litmus.Recv, 0, 0), op(litmus.Load, 1, 0)})},
	{"a time limit beside a sleeper", many([]litmus.Object{{Kind: litmus.Chan}},
		[]litmus.Op{choice(2, 0, 0)}, []litmus.Op{{Verb: litmus.Sleep, Arg: 2}, op(litmus.TrySend, 0, 1)},
		[]litmus.Op{{Verb: litmus.Sleep, Arg: 1}, op(litmus.TrySend, 0, 2)})},
}

// choice returns a select that receives, with or without a default or a time limit.
func choice(otherwise, first, second int) litmus.Op {
	return litmus.Op{Verb: litmus.Select, Arg: otherwise, Cases: []litmus.Case{{On: first}, {On: second}}}
}

// Programs that the searches once got wrong, they get right now.
func TestKeptProgramsAgree(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, k := range slices.Concat(kept, small) {
		allowed, _, err := litmus.Enumerate(k.program, 0, mostStates)
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		for _, s := range searches() {
			lines, n, ended := disagreement(k.program, 0, allowed, s)
			if len(lines) > 0 || !ended && s.Strategy.Name() == "dpor" {
				t.Errorf("%s, %s: got %q after %d schedules, at an end: %v", k.name, s.Strategy.Name(), lines, n, ended)
			}
		}
	}
}
