package explore_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// A call that would end or change the process gives a verdict. The next execution starts
// unaffected.
func TestProcess(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Process() {
		t.Run(b.Name, func(t *testing.T) {
			judge(t, small(b.Name), b)
			if r := run(t, small("touch"), programs.Touch); r.Verdict != explore.Holds {
				t.Errorf("afterwards: got %v (%s), want it to hold", r.Verdict, r.Summary())
			}
		})
	}
}

// The report of an exit has its code and the place of the call.
func TestExitSays(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	body := programs.Process()[0]
	r := run(t, small(t.Name()), body.Run)
	if r.Failure == nil || r.Failure.Message != "os.Exit(3) called" {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	if text := strings.Join(r.Failure.Timeline.Details, "\n"); !strings.Contains(text, "odd_process.go:") {
		t.Errorf("got %q, want it to say where", text)
	}
}

// A message is cut to a readable length.
func TestLongMessages(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Process() {
		if b.Kind != explore.KindPanic {
			continue
		}
		r := run(t, small(b.Name), b.Run)
		if n := len(r.Failure.Message); n == 0 || n > 2000 {
			t.Errorf("%s: got a message of %d bytes, %.80q", b.Name, n, r.Failure.Message)
		}
	}
}

// oneByOne is a body that starts n goroutines, one after the other, and waits for each.
func oneByOne(n int) func(*explore.T) {
	return func(t *explore.T) {
		var sum atomic.Int64
		for range n {
			var wg sync.WaitGroup
			wg.Go(func() { sum.Add(1) })
			wg.Wait()
		}
		if sum.Load() != int64(n) {
			t.Errorf("got %d, want %d", sum.Load(), n)
		}
	}
}

// Large bodies get a verdict too. With -short the longest has 100,000 steps, not a million.
func TestLarge(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	steps := 1_000_000
	if testing.Short() {
		steps = 100_000
	}
	once := []explore.Stage{{Strategy: explore.PCT(3), Schedules: 1}}
	for _, c := range []struct {
		name string
		body func(*explore.T)
		want explore.Verdict
	}{
		{"1,000 goroutines", programs.Many(1000), explore.Holds},
		{"10,000 goroutines", programs.Many(10_000), explore.Holds},
		{"10,000 goroutines, one after the other", oneByOne(10_000), explore.Holds},
		{"100,001 goroutines, one after the other", oneByOne(100_001), explore.Unknown},
		{"many steps", programs.Long(steps), explore.Holds},
		{"100,000 calls deep", programs.Deep(100_000), explore.Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, explore.Config{Name: c.name, Plan: once, MaxSteps: 3_000_000}, c.body)
			if r.Verdict != c.want {
				t.Errorf("got %v (%s), want %v", r.Verdict, r.Summary(), c.want)
			}
			if c.want == explore.Unknown && !strings.Contains(r.Reason, "more than 100000 goroutines") {
				t.Errorf("got the reason %q, want another", r.Reason)
			}
		})
	}
}

// isolated reports whether this process may be lost. Otherwise it runs the test in another
// process and returns false.
func isolated(t *testing.T) bool {
	t.Helper()
	const isolatedEnv = "JACQUARD_ISOLATED"
	if os.Getenv(isolatedEnv) == t.Name() {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), isolatedEnv+"="+t.Name())
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// A body that never ends and has no scheduling points ends the exploration. Afterwards the
// process cannot explore, but continues otherwise.
func TestNeverEnds(t *testing.T) {
	if !explore.Control(t) || !isolated(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Watchdog = 200 * time.Millisecond
	r := run(t, cfg, programs.Never)
	if r.Verdict != explore.Unknown || !strings.Contains(r.Reason, `"never" ran for 200ms without a scheduling point`) {
		t.Errorf("got %v (%s), want unknown after 200ms without a scheduling point", r.Verdict, r.Summary())
	}
	if _, err := explore.Run(t.Context(), small("touch"), programs.Touch); !errors.Is(err, explore.ErrLost) {
		t.Errorf("afterwards: got %v, want %v", err, explore.ErrLost)
	}
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Errorf("got a process that stands still, want it to continue")
	}
}

// A T that outlives its execution does no harm.
func TestAfterTheEnd(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var first *explore.T
	r := run(t, small(t.Name()), func(t *explore.T) {
		if first == nil {
			first = t
		}
		programs.Touch(t)
		first.Log("late")
	})
	first.Log("later")
	first.Errorf("latest")
	if r.Verdict != explore.Holds {
		t.Errorf("got %v (%s), want it to hold", r.Verdict, r.Summary())
	}
}
