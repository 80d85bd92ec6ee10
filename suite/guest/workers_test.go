//go:build unix

package guest_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A test's result does not depend on how many processes run its schedules. A test that
// makes system calls is explored by one process. With -short every second test runs.
func TestWorkersDoNotMatter(t *testing.T) {
	for i, c := range []struct {
		test, verdict string
		helped, alone bool
	}{
		{"TestBusy", "holds", true, false},
		{"TestBusyFails", "violated", false, false}, // the failure may come before workers help
		{"TestBusyRaces", "violated", false, false},
		{"TestBusyLeaks", "violated", false, false},
		{"TestBusyOutside", "holds", false, true},
		{"TestBusyOutsideSometimes", "holds", false, false},
	} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		t.Run(c.test, func(t *testing.T) {
			t.Setenv("TESTS_FOLDER", t.TempDir())
			want, by := shared(t, c.test, 1)
			if want.Verdict != c.verdict || len(by) != 1 && c.verdict == "holds" {
				t.Errorf("got %s, executions by process: %v; want %s, in one\n%+v", want.Verdict, by, c.verdict, want)
			}
			got, by := shared(t, c.test, 3)
			if got.Took, want.Took = 0, 0; !reflect.DeepEqual(got, want) {
				t.Errorf("with workers: got %+v\nwant %+v", got, want)
			}
			t.Logf("executions by process: %v", by)
			if c.alone && len(by) != 1 || c.helped && (len(by) != 3 || by[0] > int64(want.Schedules)) {
				t.Errorf("got executions by process %v; want workers: %t", by, !c.alone)
			}
		})
	}
}

// shared explores a test with at most so many processes. It returns the final event and the
// number of executions in each process: first the exploring one, last the one that repeats
// a failure.
func shared(t *testing.T, test string, processes int) (e protocol.Event, by []int64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "executions")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TESTS_EXECUTIONS", file)
	e = start(t, protocol.Request{
		Mode: protocol.Explore, Schedules: 800, Workers: processes, Seed: 5,
		Plan: []protocol.Stage{{Strategy: "random", Schedules: 700}, {Strategy: "surw", Schedules: 100}},
	}, only(test)).of(t, test)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(text) >= 8; text = text[8:] {
		if n := int64(binary.NativeEndian.Uint64(text)); n > 1 { // otherwise it only made a first execution
			by = append(by, n)
		}
	}
	return e, by
}
