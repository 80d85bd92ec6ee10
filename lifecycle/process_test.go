package lifecycle_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Tests with two processes run this test binary a second time. The child opens
// the database that its environment names, and answers each line with a line.

const childEnv = "JACQUARD_LIFECYCLE_CHILD"

// runChild is the child's main: it answers until its input ends.
func runChild(url string) int {
	ctx := context.Background()
	s, err := lifecycle.Open(ctx, lifecycle.Config{URL: url})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer s.Close()
	fmt.Println("open")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(answer(ctx, s, strings.Fields(in.Text())))
	}
	return 0
}

// answer executes a line: "get PLAN"; "COMMAND PLAN VERSION", with version 0 for
// any; "work"; or "hold PLAN".
func answer(ctx context.Context, s *lifecycle.Service, line []string) string {
	var (
		p   lifecycle.Plan
		err error
	)
	switch line[0] {
	case "work":
		return work(ctx, s)
	case "hold":
		return hold(ctx, s, line[1])
	case "get":
		p, err = s.GetPlan(ctx, line[1])
	default:
		r := request(line[1], lifecycle.Command(line[0]))
		if r.IfVersion, err = strconv.ParseInt(line[2], 10, 64); err == nil {
			p, err = s.Transition(ctx, r)
		}
	}
	return outcome(p, err)
}

// outcome describes the result of a call.
func outcome(p lifecycle.Plan, err error) string {
	var (
		conflict *lifecycle.ConflictError
		invalid  *lifecycle.InvalidTransitionError
	)
	switch {
	case err == nil:
		return fmt.Sprintf("ok %s %d", p.Position(), p.Version)
	case errors.As(err, &conflict):
		return fmt.Sprintf("conflict %s %d", conflict.Current, conflict.CurrentVersion)
	case errors.As(err, &invalid):
		return fmt.Sprintf("invalid %s", invalid.Current)
	default:
		return "error " + err.Error()
	}
}

// child is another process on the same database.
type child struct {
	t    *testing.T
	in   io.Writer
	out  *bufio.Scanner
	kill func() // kills it now; otherwise it ends with the test and must not fail
}

func startChild(t *testing.T, url string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+url)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	check(t, err)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	killed := false
	kill := func() {
		killed = true
		check(t, cmd.Process.Kill())
		_ = cmd.Wait() // the process was killed
	}
	t.Cleanup(func() {
		if killed {
			return
		}
		check(t, in.Close())
		if err := cmd.Wait(); err != nil {
			t.Errorf("child: %v", err)
		}
	})
	c := &child{t, in, bufio.NewScanner(out), kill}
	if got := c.read(); got != "open" {
		t.Fatalf("got %q from the child, want open", got)
	}
	return c
}

func (c *child) read() string {
	if !c.out.Scan() {
		c.t.Errorf("got no line from the child: %v", c.out.Err())
	}
	return c.out.Text()
}

func (c *child) ask(format string, args ...any) string {
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Error(err)
	}
	return c.read()
}

// R6 with two real processes: each sees at once what the other has committed,
// whatever it has cached.
func TestR6TwoProcesses(t *testing.T) {
	forEachShared(t, testR6TwoProcesses)
}

// forEachShared runs a test with the URL of an empty database, for each kind that
// processes can share.
func forEachShared(t *testing.T, test func(t *testing.T, url string)) {
	for _, store := range stores[2:] {
		t.Run(store.name, func(t *testing.T) { test(t, store.url(t)) })
	}
}

func testR6TwoProcesses(t *testing.T, url string) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{URL: url})
	c := startChild(t, url)
	p := newPlan(t, s)
	for i, command := range way(applyApplied) {
		for range 2 {
			if got, want := c.ask("get %s", p.ID), outcome(p, nil); got != want {
				t.Fatalf("before %s: got %q from the child, want %q", command, got, want)
			}
			if got, err := s.GetPlan(ctx, p.ID); err != nil || got.Version != p.Version {
				t.Fatalf("before %s: got %v version %d, %v in the parent, want version %d", command, got.Position(), got.Version, err, p.Version)
			}
		}
		var err error
		if i%2 == 0 {
			p, err = s.Transition(ctx, request(p.ID, command))
			check(t, err)
			continue
		}
		got := c.ask("%s %s 0", command, p.ID)
		p, err = s.GetPlan(ctx, p.ID)
		check(t, err)
		if want := outcome(p, nil); got != want {
			t.Fatalf("got %[2]q of the child's %[1]s, want %[3]q as in the parent", command, got, want)
		}
	}
}

// R7 with two real processes: both hold one version and move it on at the same
// time. One wins, and the other's conflict names the new position. Without a
// version a late loser gets the plan's position instead.
func TestR7TwoProcesses(t *testing.T) {
	forEachShared(t, testR7TwoProcesses)
}

func testR7TwoProcesses(t *testing.T, url string) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{URL: url})
	c := startChild(t, url)
	wins := map[string]int{}
	for round := range 50 {
		held := planAt(t, s, executeComplete)
		version := held.Version * int64(round%2)
		if got, want := c.ask("get %s", held.ID), outcome(held, nil); got != want {
			t.Fatalf("got %q from the child, want %q", got, want)
		}
		var parent, other string
		together(2, func(i int) {
			if i == 0 {
				other = c.ask("%s %s %d", lifecycle.CommandApplyPlan, held.ID, version)
				return
			}
			parent = outcome(s.Transition(ctx, lifecycle.Request{
				PlanID: held.ID, Command: lifecycle.CommandApplyPlan, IfVersion: version,
			}))
		})
		won := fmt.Sprintf("ok apply/queued %d", held.Version+1)
		lost := []string{fmt.Sprintf("conflict apply/queued %d", held.Version+1), "invalid apply/queued"}
		winner, loser := "parent", other
		if other == won {
			winner, loser = "child", parent
		}
		if (parent == won) == (other == won) || loser != lost[0] && (version != 0 || loser != lost[1]) {
			t.Fatalf("got %q in the parent and %q in the child, want one %q and one of %q", parent, other, won, lost)
		}
		wins[winner]++
		if got, err := s.GetPlan(ctx, held.ID); err != nil || got.Version != held.Version+1 {
			t.Fatalf("got version %d, %v, want %d: applied once", got.Version, err, held.Version+1)
		}
	}
	t.Logf("won: %v", wins)
}
