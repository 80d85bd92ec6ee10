package explore_test

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Data that tasks send each other through the operating system is part of the execution. It is
// explored and replays.
func TestNetwork(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Network() {
		t.Run(b.Name, func(t *testing.T) { judge(t, small(b.Name), b) })
	}
}

func TestHTTP(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Plan = []explore.Stage{{Strategy: explore.PCT(3), Schedules: 10}, {Strategy: explore.RandomWalk(), Schedules: 10}}
	judge(t, cfg, programs.Program{Verdict: explore.Holds, Run: programs.HTTP})
}

// A program that another process writes to depends on that process. It is not reported as wrong.
func TestSubprocess(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), programs.Subprocess)
	t.Log(r.Verdict, r.Summary())
	if r.Verdict == explore.Violated {
		t.Errorf("got %v (%s), want no failure", r.Verdict, r.Summary())
	}
}

// A server outside the execution answers, however slowly. A body that depends on it never gets
// the verdict holds.
func TestServerOutside(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	address := echoes(t)
	cfg := small(t.Name())
	cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 20}}
	r := run(t, cfg, programs.Client(address))
	t.Log(r.Summary())
	if r.Verdict != explore.Unknown || !strings.Contains(r.Reason, "outside the execution") {
		t.Errorf("got %v (%s), want unknown because of the server", r.Verdict, r.Summary())
	}
}

// Time passes for other goroutines while one gets answers again and again.
func TestServerAnswersOnAndOn(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	address := echoes(t)
	cfg := small(t.Name())
	cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 3}}
	r := run(t, cfg, func(t *explore.T) {
		var slept atomic.Bool
		t.Go("sleeps", func() {
			time.Sleep(20 * time.Millisecond)
			slept.Store(true)
		})
		for asked := 0; !slept.Load(); asked++ {
			if asked == 50 {
				t.Error("no time has passed in 50 answers")
				break
			}
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.Write([]byte("x"))
			if _, err := c.Read(make([]byte, 1)); err != nil {
				t.Error(err)
			}
			_ = c.Close()
		}
		t.Wait()
	})
	if r.Schedules < 3 || r.Verdict != explore.Unknown || !strings.Contains(r.Reason, "outside the execution") {
		t.Errorf("got %v (%s), want unknown in at least 3 schedules, because of the server", r.Verdict, r.Summary())
	}
}

// After the body has returned, a server outside is hardly waited for. A connection kept for later
// has a timer, and no data comes before it fires. Waiting would take hours.
func TestConnectionKept(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	address := echoes(t)
	cfg := small(t.Name())
	cfg.Leaks, cfg.Watchdog = explore.LeaksIgnore, time.Hour
	cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 2}}
	r := run(t, cfg, func(t *explore.T) {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Hour, func() { _ = c.Close() })
		go func() { _, _ = c.Read(make([]byte, 1)) }()
	})
	if r.Verdict != explore.Unknown {
		t.Errorf("got %v (%s), want unknown", r.Verdict, r.Summary())
	}
}

// echoes starts an echo server outside of executions and returns its address. It runs until the
// test ends.
func echoes(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		echo(l, time.Millisecond)
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().String()
}

// A server that never answers ends the exploration in bounded time.
func TestServerSilent(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := small(t.Name())
	cfg.Watchdog = 100 * time.Millisecond
	address := l.Addr().String()
	r := run(t, cfg, func(t *explore.T) { programs.Ask(t, address) })
	if r.Verdict != explore.Unknown || !strings.Contains(r.Reason, "has waited 100ms") {
		t.Errorf("got %v (%s), want unknown after 100 ms", r.Verdict, r.Summary())
	}
	if again := run(t, small("touch"), programs.Touch); again.Verdict != explore.Holds {
		t.Errorf("afterwards: got %v (%s), want it to hold", again.Verdict, again.Summary())
	}
}

// A process that does not end is waited for in bounded time, and the timer of its
// context does not fire before that.
func TestProcessEndless(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	in, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer end.Close()
	cfg := small(t.Name())
	cfg.Watchdog = 2 * time.Second
	r := run(t, cfg, func(t *explore.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		cmd := exec.CommandContext(ctx, "cat")
		cmd.Stdin = in
		if err := cmd.Run(); err != nil {
			t.Error(err)
		}
	})
	if r.Verdict != explore.Unknown || !strings.Contains(r.Reason, "has waited 2s for another process") {
		t.Errorf("got %v (%s), want unknown after two seconds", r.Verdict, r.Summary())
	}
	if again := run(t, small("touch"), programs.Touch); again.Verdict != explore.Holds {
		t.Errorf("afterwards: got %v (%s), want it to hold", again.Verdict, again.Summary())
	}
}

// While a process lives, a goroutine that polls still gets its steps, because it may have to
// end the process.
func TestProcessAndBusy(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Watchdog = 5 * time.Second
	cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 3}}
	r := run(t, cfg, func(t *explore.T) {
		cmd := exec.Command("cat")
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Go("waits", func() {
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
		var stop atomic.Bool
		for range 100 {
			if stop.Load() {
				t.Error("nobody has set it")
			}
		}
		_ = in.Close()
		t.Wait()
	})
	// On a busy machine each process may have ended before a goroutine waited for it.
	waited := strings.Contains(r.Reason, "outside the execution")
	if r.Schedules != 3 || !waited && r.Verdict != explore.Holds {
		t.Errorf("got %v (%s), want no failure in 3 schedules", r.Verdict, r.Summary())
	}
}

// A process that one execution left behind is ended by the next one. Time stands still until
// it has ended. A body that does not wait for the process is not held up.
func TestProcessLeft(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	ended := make(chan error, 1)
	var in io.Closer
	cfg := small(t.Name())
	cfg.Leaks = explore.LeaksIgnore
	cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1}}
	run(t, cfg, func(t *explore.T) {
		cmd := exec.Command("sh", "-c", "cat; sleep 0.3")
		pipe, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		in = pipe
		go func() { ended <- cmd.Wait() }()
		time.Sleep(time.Millisecond)
	})
	if in == nil {
		t.Fatal("got no process, want one left by the execution")
	}
	own := run(t, cfg, func(t *explore.T) {
		select {
		case <-make(chan error):
		case <-time.After(time.Hour):
		}
	})
	if own.Verdict != explore.Holds || len(own.Outside) > 0 {
		t.Errorf("without it: got %v (%s), outside %q, want it to hold, with nothing outside", own.Verdict, own.Summary(), own.Outside)
	}
	r := run(t, cfg, func(t *explore.T) {
		_ = in.Close()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Hour):
			t.Error("the process has not ended")
		}
	})
	if r.Verdict != explore.Unknown || !strings.Contains(r.Reason, "outside the execution") {
		t.Errorf("got %v (%s), want a wake-up from outside", r.Verdict, r.Summary())
	}
}

func echo(l net.Listener, delay time.Duration) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		time.Sleep(delay)
		_, _ = io.Copy(c, c)
		_ = c.Close()
	}
}

// judge explores a body whose verdict is known, and replays its card.
func judge(t *testing.T, cfg explore.Config, b programs.Program) {
	t.Helper()
	r := run(t, cfg, b.Run)
	if r.Verdict != b.Verdict {
		t.Fatalf("got %v (%s), want %v", r.Verdict, r.Summary(), b.Verdict)
	}
	if r.Failure == nil {
		return
	}
	if r.Failure.Kind != b.Kind {
		t.Fatalf("got %v (%s), want %v", r.Failure.Kind, r.Failure.Message, b.Kind)
	}
	for range 3 {
		again, err := explore.Replay(t.Context(), cfg, r.Failure.Card, b.Run)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Result.Failure; got == nil || got.Kind != b.Kind || got.Message != r.Failure.Message {
			t.Fatalf("got %v, want %v: %s", again, b.Kind, r.Failure.Message)
		}
	}
}
