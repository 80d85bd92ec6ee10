package guest_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// What comes of a test does not depend on how many processes run its schedules;
// those that make system calls are one process's alone.
func TestWorkersDoNotMatter(t *testing.T) {
	workers := 0
	for _, c := range []struct {
		test, verdict string
		alone         bool
	}{
		{"TestBusy", "holds", false},
		{"TestBusyFails", "violated", false},
		{"TestBusyLeaks", "violated", false},
		{"TestBusyOutside", "holds", true},
		{"TestBusyOutsideSometimes", "holds", false},
	} {
		t.Run(c.test, func(t *testing.T) {
			t.Setenv("TESTS_FOLDER", t.TempDir())
			want, n := shared(t, c.test, 1)
			if want.Verdict != c.verdict || n != 1 && c.verdict == "holds" {
				t.Errorf("got %s after %d schedules, in %d processes; want %s, in one\n%+v", want.Verdict, want.Schedules, n, c.verdict, want)
			}
			got, with := shared(t, c.test, 3)
			if got.Took, want.Took = 0, 0; !reflect.DeepEqual(got, want) {
				t.Errorf("with workers: got %+v\nwant %+v", got, want)
			}
			if c.alone && with != n {
				t.Errorf("got %d workers of a test that must be alone", with-n)
			}
			workers += with - n
		})
	}
	if workers == 0 { // of a short exploration on a busy machine there may be none
		t.Error("there were no workers: the test tells nothing")
	}
}

// shared explores a test by at most so many processes, and returns what was told in
// the end and how many processes there were, those that repeat a failure included.
func shared(t *testing.T, test string, processes int) (protocol.Event, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "processes")
	t.Setenv("TESTS_PROCESSES", file)
	q := protocol.Request{
		Mode: protocol.Explore, Schedules: 800, Workers: processes, Seed: 5,
		Plan: []protocol.Stage{{Strategy: "random", Schedules: 700}, {Strategy: "surw", Schedules: 100}},
	}
	e := start(t, q, only(test)).of(t, test)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return e, strings.Count(string(text), "\n")
}
