package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// processes is how many processes run the binary.
func processes(t *testing.T, binary string) int {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, link := range links {
		if exe, err := os.Readlink(link); err == nil && exe == binary {
			n++
		}
	}
	return n
}

// A job that comes last is shared by as many processes as there are, with the
// same outcome.
func TestSharedJob(t *testing.T) {
	p := newTestPool(t)
	for _, c := range []struct {
		workers, left, want int
	}{{1, 0, 1}, {2, 0, 2}, {2, 1, 1}, {8, 3, 1}} {
		if got := (&pool{workers: c.workers}).shared(job{}, c.left).Workers; got != c.want {
			t.Errorf("%d workers, %d jobs left: got %d, want %d", c.workers, c.left, got, c.want)
		}
	}
	var outcomes []*outcome
	for workers := 1; workers <= 2; workers++ {
		p.workers = workers
		most := 0
		err := p.do(t.Context(), []job{{Subject: "R6/ours", Seed: 1}},
			func(int, int) { most = max(most, processes(t, p.binary)) },
			func(_ int, a answer) {
				if a.Outcome == nil {
					t.Errorf("got the error %s", a.Error)
				}
				outcomes = append(outcomes, a.Outcome)
			})
		if err != nil || t.Failed() {
			t.Fatal(err)
		}
		if most != workers {
			t.Errorf("got %d processes, want %d", most, workers)
		}
	}
	if !reflect.DeepEqual(outcomes[0], outcomes[1]) {
		t.Errorf("got %+v from two processes, want %+v as from one", outcomes[1], outcomes[0])
	}
}
