package cachemodel_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/jacquard-go/jacquard/cache/cachemodel"
)

// Each history has an operation a line: begin, end, method, value, value expected, outcome, result.
// The model must tell the legal ones from the others, or nothing that it passes means anything.
var histories = []struct {
	name, history string
	legal         bool
}{
	{name: "nothing yet", legal: true, history: `
		1 2 Get 0 0 none 0`},
	{name: "created, then read", legal: true, history: `
		1 4 GetOrCreate 0 0 ok 1
		2 3 Begin 1 0 returned 0
		5 6 Get 0 0 ok 1`},
	{name: "created twice", history: `
		1 6 GetOrCreate 0 0 ok 1
		2 3 Begin 1 0 returned 0
		2 5 GetOrCreate 0 0 ok 2
		3 4 Begin 2 0 returned 0`},
	{name: "a creation over a set", history: `
		1 6 GetOrCreate 0 0 ok 1
		2 3 Begin 1 0 returned 0
		4 5 Set 100 0 ok 0
		7 8 Get 0 0 ok 1`},
	{name: "a creation before a set", legal: true, history: `
		1 6 GetOrCreate 0 0 ok 1
		2 3 Begin 1 0 returned 0
		4 5 Set 100 0 ok 0
		7 8 Get 0 0 ok 100`},
	{name: "a creation around a delete", history: `
		1 6 GetOrCreate 0 0 ok 1
		2 3 Begin 1 0 returned 0
		4 5 Delete 0 0 none 0
		7 8 Get 0 0 ok 1`},
	{name: "a creation behind a delete", legal: true, history: `
		1 6 GetOrCreate 0 0 ok 1
		2 4 Delete 0 0 none 0
		3 5 Begin 1 0 returned 0
		7 8 Get 0 0 ok 1`},
	{name: "back after a delete", history: `
		1 4 GetOrCreate 0 0 ok 1
		2 3 Begin 1 0 returned 0
		5 6 Delete 0 0 ok 0
		7 8 GetOrCreate 0 0 ok 1`},
	{name: "filled in", legal: true, history: `
		1 2 Stamp 0 0 returned 0
		3 4 Fill 100 0 ok 0
		5 6 Get 0 0 ok 100`},
	{name: "filled in with an old stamp", history: `
		1 2 Stamp 0 0 returned 0
		3 4 Invalidate 0 0 returned 0
		5 6 Fill 100 0 ok 0`},
	{name: "not filled in", legal: true, history: `
		1 2 Stamp 0 0 returned 0
		3 4 Fill 100 0 none 0
		5 6 Get 0 0 none 0`},
	{name: "filled in over a value", history: `
		1 2 Stamp 0 0 returned 0
		3 4 Fill 100 0 ok 0
		5 6 Fill 101 0 ok 0`},
	{name: "filled in at an old generation", history: `
		1 2 Generation 0 0 returned 0
		3 4 Publish 0 0 returned 0
		5 6 FillAt 100 0 ok 0`},
	{name: "filled in beside a message", legal: true, history: `
		1 2 Generation 0 0 returned 0
		3 6 Publish 0 0 returned 0
		4 5 FillAt 100 0 ok 0
		7 8 Get 0 0 none 0`},
	{name: "a stamp from before a message", history: `
		1 2 Stamp 0 0 returned 0
		3 4 Publish 0 0 returned 0
		5 6 Fill 100 0 ok 0`},
	{name: "an error in spite of a value", history: `
		1 2 Set 100 0 ok 0
		3 4 GetOrCreate 0 0 failed 0`},
	{name: "a delete of nothing", history: `
		1 2 Delete 0 0 ok 0`},
	{name: "a swap of nothing", legal: true, history: `
		1 2 CompareAndSwap 100 0 ok 0
		3 4 Get 0 0 ok 100`},
	{name: "two swaps of nothing", history: `
		1 4 CompareAndSwap 100 0 ok 0
		2 3 CompareAndSwap 101 0 ok 0`},
	{name: "a delete of another version", history: `
		1 2 Set 100 0 ok 0
		3 4 CompareAndDelete 0 101 ok 0`},
	{name: "appeared for one who left", legal: true, history: `
		1 4 GetOrCreate 0 0 stopped 0
		2 3 Begin 1 0 returned 0
		5 6 Get 0 0 ok 1`},
	{name: "appeared from nowhere", history: `
		1 2 GetOrCreate 0 0 stopped 0
		3 4 Get 0 0 ok 1`},
	{name: "read after close", history: `
		1 2 Set 100 0 ok 0
		3 4 Close 0 0 ok 0
		5 6 Get 0 0 ok 100`},
	{name: "shut before close", history: `
		1 2 Set 100 0 shut 0
		3 4 Close 0 0 ok 0`},
	{name: "shut after close", legal: true, history: `
		1 2 Close 0 0 ok 0
		3 4 GetOrCreate 0 0 shut 0
		5 6 Get 0 0 none 0
		7 8 Close 0 0 shut 0
		9 10 Invalidate 0 0 returned 0`},
	{name: "invalidated", legal: true, history: `
		1 2 Set 100 0 ok 0
		3 4 Invalidate 0 0 returned 0
		5 6 CompareAndDelete 0 100 none 0`},
	{name: "an unknown method", history: `
		1 2 Wait 0 0 ok 0`},
	{name: "an unknown outcome", history: `
		1 2 GetOrCreate 0 0 returned 0`},
}

func TestModelTellsRightFromWrong(t *testing.T) {
	for _, h := range histories {
		var ops []porcupine.Operation
		for line := range strings.Lines(strings.TrimSpace(h.history)) {
			var op porcupine.Operation
			var call cachemodel.Call
			var ret cachemodel.Return
			_, err := fmt.Sscan(line, &op.Call, &op.Return, &call.Kind, &call.Value, &call.Expect, &ret.Outcome, &ret.Value)
			if err != nil {
				t.Fatalf("%s: %q: %v", h.name, line, err)
			}
			op.ClientId, op.Input, op.Output = len(ops), call, ret
			ops = append(ops, op)
		}
		if got := porcupine.CheckOperations(cachemodel.New(), ops); got != h.legal {
			t.Errorf("%s: linearizable is %v, want %v", h.name, got, h.legal)
		}
	}
}

func TestHistory(t *testing.T) {
	var h cachemodel.History
	do := func(client int, call cachemodel.Call, outcome cachemodel.Outcome, value int) {
		h.Do(client, call, func() cachemodel.Return { return cachemodel.Return{Outcome: outcome, Value: value} })
	}
	do(0, cachemodel.Call{Kind: cachemodel.Begin, Value: 1}, cachemodel.DoneOnly, 0)
	do(0, cachemodel.Call{Kind: cachemodel.Create}, cachemodel.OK, 1)
	do(1, cachemodel.Call{Kind: cachemodel.Swap, Expect: 1, Value: 100}, cachemodel.OK, 0)
	do(1, cachemodel.Call{Kind: cachemodel.Unset, Expect: 1}, cachemodel.None, 0)
	do(1, cachemodel.Call{Kind: cachemodel.Set, Value: 101}, cachemodel.OK, 0)
	if got := h.Check(time.Minute); got != porcupine.Ok {
		t.Errorf("Check is %v, want Ok", got)
	}
	want := "client 0  [1, 2]  Begin(1) returned\nclient 0  [3, 4]  GetOrCreate() = 1\nclient 1  [5, 6]  CompareAndSwap(1→100) ok\n" +
		"client 1  [7, 8]  CompareAndDelete(1) none\nclient 1  [9, 10]  Set(101) ok\n"
	if got := h.String(); got != want {
		t.Errorf("String is\n%s\nwant\n%s", got, want)
	}
	do(0, cachemodel.Call{Kind: cachemodel.Get}, cachemodel.OK, 1)
	if got := h.Check(time.Minute); got != porcupine.Illegal {
		t.Errorf("Check is %v, want Illegal", got)
	}
}

// What porcupine shows of a history is readable.
func TestDescriptions(t *testing.T) {
	m := cachemodel.New()
	state := m.DescribeState(m.Init())
	op := m.DescribeOperation(cachemodel.Call{Kind: cachemodel.Get}, cachemodel.Return{Outcome: cachemodel.OK, Value: 1})
	if state != "{0}" || op != "Get() = 1" {
		t.Errorf("descriptions are %q and %q", state, op)
	}
}
