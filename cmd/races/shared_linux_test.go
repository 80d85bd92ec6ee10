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
// same outcome. In short none is long.
func TestSharedJob(t *testing.T) {
	p := newTestPool(t)
	for _, c := range []struct {
		workers, left, want int
	}{{1, 0, 1}, {2, 0, 2}, {2, 1, 1}, {8, 3, 1}} {
		if got := (&pool{workers: c.workers}).shared(job{}, c.left).Workers; got != c.want {
			t.Errorf("%d workers, %d jobs left: got %d, want %d", c.workers, c.left, got, c.want)
		}
	}
	for _, c := range []struct {
		subject string
		long    bool // enough for a second process
	}{{"R1/ours", false}, {"R4/suggested", false}, {"R6/ours", true}} {
		if testing.Short() && c.long {
			continue
		}
		one, two := explorers(t, p, c.subject, 1), explorers(t, p, c.subject, 2)
		if one.most > 1 || c.long && two.most != 2 {
			t.Errorf("%s: got %d processes and %d, want 1 and 2", c.subject, one.most, two.most)
		}
		two.outcome.Took = one.outcome.Took // which no two have the same
		if !reflect.DeepEqual(two.outcome, one.outcome) {
			t.Errorf("%s: got %+v from two processes, want %+v as from one", c.subject, two.outcome, one.outcome)
		}
	}
}

// A shared is an outcome and how many processes it took.
type shared struct {
	outcome *outcome
	most    int
}

// explorers explores a subject with so many processes at most.
func explorers(t *testing.T, p *pool, subject string, workers int) (x shared) {
	t.Helper()
	p.workers = workers
	err := p.do(t.Context(), []job{{Subject: subject, Seed: 1}},
		func(int, int) { x.most = max(x.most, processes(t, p.binary)) },
		func(_ int, a answer) {
			x.outcome = a.Outcome
			if a.Outcome == nil {
				t.Errorf("%s: got the error %s", subject, a.Error)
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	return x
}
