package locks

import (
	"slices"
	"testing"
)

// A task would close a cycle by waiting if the holders of the lock take, or wait for, locks
// that lead back to one that the task holds itself.
func TestCloses(t *testing.T) {
	const a, b, c = 8, 16, 24
	var table Table
	for id, lock := range map[uint32]uintptr{1: a, 2: b, 3: c} {
		table.Hold(id, Want{Lock: lock})
	}
	table.Wait(3, Want{Lock: a})
	for _, x := range []struct {
		name  string
		id    uint32
		lock  uintptr
		wants map[uint32]uintptr
		want  bool
	}{
		{"nobody has it", 1, 32, nil, false},
		{"who has it wants nothing", 1, b, nil, false},
		{"who has it wants what nobody has", 1, b, map[uint32]uintptr{2: 32}, false},
		{"its own", 1, a, nil, true},
		{"two want each other's", 1, b, map[uint32]uintptr{2: a}, true},
		{"one of them waits", 1, c, nil, true},
		{"three", 1, b, map[uint32]uintptr{2: c}, true},
		{"others are in a circle", 4, a, map[uint32]uintptr{1: b, 2: a}, false},
	} {
		if got := table.Closes(x.id, x.lock, func(id uint32) uintptr { return x.wants[id] }); got != x.want {
			t.Errorf("%s: got %t", x.name, got)
		}
	}
}

// A lock is held until whoever holds it has released it, for reading too.
func TestHeld(t *testing.T) {
	var table Table
	for _, w := range []Want{{Lock: 8}, {Lock: 16, Read: true}} {
		table.Hold(1, w)
		if !table.Held() {
			t.Errorf("%+v: got that none is held", w)
		}
		if w.Read {
			table.RUnlock(w.Lock, 1)
		} else {
			table.Unlock(w.Lock, 1)
		}
		if table.Held() {
			t.Errorf("%+v: got one that is held, want it released", w)
		}
	}
}

// Unlock reports whether another task held the lock.
func TestUnlock(t *testing.T) {
	var table Table
	for _, x := range []struct {
		holds, releases uint32
		want            bool
	}{{1, 1, false}, {1, 2, true}, {0, 2, false}} {
		if x.holds != 0 {
			table.Hold(x.holds, Want{Lock: 8})
		}
		if got := table.Unlock(8, x.releases); got != x.want {
			t.Errorf("%+v: got %t", x, got)
		}
	}
}

func TestStuck(t *testing.T) {
	const a, b = 8, 16
	blocked := func(uint32) bool { return true }
	var table Table
	table.Hold(1, Want{Lock: a})
	table.Hold(2, Want{Lock: b, Read: true})
	table.Wait(1, Want{Lock: b})
	if got := table.Stuck(blocked); got != nil {
		t.Errorf("one waits: got %v", got)
	}
	table.Wait(2, Want{Lock: a, Read: true})
	if got := slices.Sorted(slices.Values(table.Stuck(blocked))); !slices.Equal(got, []uint32{1, 2}) {
		t.Errorf("both wait: got %v", got)
	}
	table.RUnlock(b, 2)
	table.Woken(1)
	if got := table.Stuck(blocked); got != nil {
		t.Errorf("one has gone on: got %v", got)
	}
}
