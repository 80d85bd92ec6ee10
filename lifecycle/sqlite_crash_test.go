package lifecycle_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// recorded returns what the only changeset of the only plan of a database has
// recorded.
func recorded(t *testing.T, s *lifecycle.Service) []string {
	t.Helper()
	plans, err := s.ListPlans(context.Background())
	check(t, err)
	all, err := s.ExecutionContext(plans[0].ID).Changesets(context.Background())
	check(t, err)
	return paths(all[0])
}

// A machine that stops during a commit leaves a log that is cut off somewhere or
// ends with garbage. Each such log gives the state after some commit, and never
// an earlier one than a shorter log.
func TestSQLiteTornLog(t *testing.T) {
	ctx := context.Background()
	url := storetest.FileURL(t)
	first, err := lifecycle.Open(ctx, lifecycle.Config{URL: url})
	check(t, err)
	populated(t, first)
	check(t, first.Close()) // so that the log begins with what follows
	s := open(t, lifecycle.Config{URL: url})
	want := recorded(t, s)
	plans, err := s.ListPlans(ctx)
	check(t, err)
	const commits = 8
	for i := range commits {
		path := fmt.Sprint(i, strings.Repeat("-", 1500*(i%4))) // some of them are several pages long
		check(t, ignore(s.ExecutionContext(plans[0].ID).RecordChange(ctx, entry(path))))
		want = append(want, path)
	}
	file, err := os.ReadFile(beside(url)[0])
	check(t, err)
	log, err := os.ReadFile(beside(url)[1])
	check(t, err)

	seen := map[int]bool{}
	recover := func(log []byte) int {
		copied := storetest.FileURL(t)
		check(t, os.WriteFile(beside(copied)[0], file, 0o644))
		check(t, os.WriteFile(beside(copied)[1], log, 0o644))
		engines := storetest.Engines(t)
		s := open(t, lifecycle.Config{URL: copied, Engines: engines})
		got := recorded(t, s)
		if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("got %.200q from a log of %d bytes, want the first of %.200q", got, len(log), want)
		}
		check(t, ignore(s.ExecutionContext(plans[0].ID).RecordChange(ctx, entry("after"))))
		check(t, engines.Close())
		return len(got)
	}
	before := 0
	for length := 0; length < len(log); length += 1021 { // a prime step, to cut at every kind of place
		got := recover(log[:length])
		if got < before {
			t.Errorf("got %d entries from %d bytes of the log, want at least the %d from fewer", got, length, before)
		}
		before = got
		seen[got] = true
		damaged := slices.Clone(log)
		damaged[length] ^= 0x10
		if undamaged := recover(damaged); undamaged > len(want) || length > 32 && undamaged < got {
			t.Errorf("got %d entries from a log damaged at %d, want at least the %d before that place", undamaged, length, got)
		}
	}
	if got := recover(log); got != len(want) || len(seen) < commits {
		t.Errorf("got %d entries from the whole log, want %d; and %d different states, want %d", got, len(want), len(seen), commits)
	}
}

// writerEnv makes the test binary record numbered changes of a plan without end.
// It prints each one once it is acknowledged.
const writerEnv = "JACQUARD_LIFECYCLE_WRITER"

func init() {
	url, from, ok := strings.Cut(os.Getenv(writerEnv), " from ")
	if !ok {
		return
	}
	ctx := context.Background()
	s, err := lifecycle.Open(ctx, lifecycle.Config{URL: url})
	if err != nil {
		panic(err)
	}
	plans, err := s.ListPlans(ctx)
	if err != nil {
		panic(err)
	}
	for i := range 100000 {
		path := from + "/" + fmt.Sprint(i) + strings.Repeat("-", 5000*(i%3))
		if _, err := s.ExecutionContext(plans[0].ID).RecordChange(ctx, entry(path)); err != nil {
			panic(err)
		}
		fmt.Println(path)
	}
	os.Exit(1)
}

// Processes are killed while they write as fast as they can. What each
// acknowledged is there, at most one more change per process, and nothing twice.
// Other users of the database continue.
func TestWriterKilled(t *testing.T) {
	forEachShared(t, func(t *testing.T, url string) {
		s := open(t, lifecycle.Config{URL: url})
		populated(t, s)
		acknowledged := recorded(t, s)
		for round := range 6 {
			acknowledged = append(acknowledged, writeAndDie(t, url, fmt.Sprint(round), 1+7*round)...)
			found := recorded(t, s)
			next := 0
			for _, path := range found {
				if next < len(acknowledged) && path == acknowledged[next] {
					next++
				}
			}
			if next != len(acknowledged) || len(found) > len(acknowledged)+1 {
				t.Fatalf("round %d: got %d entries, want the %d acknowledged in order, of which %d are there, and at most one more",
					round, len(found), len(acknowledged), next)
			}
			acknowledged = found
		}
	})
}

// writeAndDie runs a writer, kills it after some acknowledgements, and returns
// all that it acknowledged.
func writeAndDie(t *testing.T, url, from string, after int) (acknowledged []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerEnv+"="+url+" from "+from)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		acknowledged = append(acknowledged, strings.TrimSuffix(line, "\n"))
		if len(acknowledged) == after {
			check(t, cmd.Process.Kill())
		}
	}
	if err := cmd.Wait(); err == nil || len(acknowledged) < after {
		t.Fatalf("got %v after %d acknowledgements, want it killed after %d", err, len(acknowledged), after)
	}
	return acknowledged
}
