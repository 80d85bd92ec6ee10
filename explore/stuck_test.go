package explore_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Goroutines that wait for one another are deadlocked even if others run. Waiting for a lock
// that another goroutine releases is no deadlock.
func TestStuck(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Stuck() {
		t.Run(b.Name, func(t *testing.T) {
			cfg := small(b.Name)
			cfg.Minimise = 50
			judge(t, cfg, b)
		})
	}
}

// The report of a partial deadlock names the goroutines that wait for one another.
func TestStuckSays(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for i, want := range map[int]string{
		0: `"ab" and "ba" wait for one another, whatever others do`,
		2: `"reader" and "writer" wait for one another, whatever others do`,
		3: `"locks twice" waits for itself, whatever others do`,
	} {
		b := programs.Stuck()[i]
		r := run(t, small(b.Name), b.Run)
		if r.Failure == nil || r.Failure.Message != want {
			t.Errorf("%s: got %s, want %s", b.Name, r.Summary(), want)
		}
	}
}

// Where one goroutine unlocks what another has locked, who has locked it does not wait for itself.
func TestHandedLock(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	body := func(t *explore.T) {
		var mu, bus sync.Mutex
		release := make(chan bool)
		t.Go("locks", func() {
			for range 2 {
				bus.Lock()
				mu.Lock()
				t.Go("unlocks", func() { <-release; mu.Unlock() })
				bus.Unlock()
			}
		})
		bus.Lock()
		close(release)
		bus.Unlock()
		t.Wait()
	}
	r := run(t, small(t.Name()), body)
	if r.Failure == nil || r.Failure.Kind != explore.KindDeadlock {
		t.Fatalf("got %s, want a deadlock", r.Summary())
	}
	f := r.Failure
	for _, want := range []string{"can never go on", "which it took itself", `"unlocks" waits for a value from release`} {
		if told := f.Message + ": " + f.Timeline.Cause; !strings.Contains(told, want) || strings.Contains(told, "for itself") {
			t.Errorf("got %q, want it to contain %q", told, want)
		}
	}
	if len(f.Timeline.Cycle) > 0 {
		t.Errorf("got the cycle %+v, want none", f.Timeline.Cycle)
	}
	again, err := explore.Replay(t.Context(), small(t.Name()), f.Card, body)
	if err != nil || again.Result.Failure == nil || again.Result.Failure.Message != f.Message {
		t.Errorf("the card leads to %+v, %v, want %q", again, err, f.Message)
	}
}

// Only a wake-up that came too early is called lost.
func TestLostWakeUps(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name, want string
		body       func(*explore.T)
	}{
		{"signal", `lost wake-up: the Signal of `, programs.LostSignal},
		{"send", `lost wake-up: the send on `, programs.LostSend},
		{"none", "", programs.NoWakeUp},
		{"full", "", func(t *explore.T) { // what fills the channel is received
			wake := make(chan bool, 1)
			t.Go("waits twice", func() { <-wake; <-wake })
			for range 2 {
				select {
				case wake <- true:
				default:
				}
			}
			t.Wait()
		}},
	} {
		r := run(t, small(c.name), c.body)
		if r.Failure == nil || r.Failure.Kind != explore.KindDeadlock {
			t.Fatalf("%s: got %s, want a deadlock", c.name, r.Summary())
		}
		if got := r.Failure.Timeline.Cause; strings.Contains(got, "lost wake-up") != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A leak report says where the goroutine waits. A filter allows only the leaks it names.
func TestLeakFilters(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const pkg = "github.com/jacquard-go/jacquard/internal/programs."
	r := run(t, small(t.Name()), programs.Leaky)
	if r.Failure == nil || r.Failure.Kind != explore.KindLeak || !strings.Contains(r.Failure.Message, "at internal/programs/odd_stuck.go:") {
		t.Fatalf("got %s, want a leak", r.Summary())
	}
	for _, c := range []struct {
		filter explore.LeakFilter
		want   explore.Verdict
	}{
		{explore.LeakFilter{Top: pkg + "park"}, explore.Holds},
		{explore.LeakFilter{Top: pkg + "waits"}, explore.Violated},
		{explore.LeakFilter{Any: pkg + "waits"}, explore.Holds},
		{explore.LeakFilter{Any: pkg + "wait"}, explore.Violated},
		{explore.LeakFilter{Any: pkg + "wait*"}, explore.Holds},
		{explore.LeakFilter{CreatedBy: pkg + "Leaky"}, explore.Holds},
		{explore.LeakFilter{CreatedBy: pkg + "Leaky", Top: pkg + "waits"}, explore.Violated},
	} {
		cfg := small(t.Name())
		cfg.IgnoreLeaks = []explore.LeakFilter{{Top: "another.function"}, c.filter}
		if r := run(t, cfg, programs.Leaky); r.Verdict != c.want {
			t.Errorf("%+v: got %v (%s), want %v", c.filter, r.Verdict, r.Summary(), c.want)
		}
	}
}

// Of several who gave a lock back, the last one is named.
func TestWhoUnlocked(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var mu sync.Mutex
		for _, name := range []string{"one", "other"} {
			mu.Lock()
			t.Go(name, mu.Unlock)
			t.Wait()
		}
		mu.Unlock()
	})
	if want := `"other" had given mu back at step `; r.Failure == nil || !strings.HasPrefix(r.Failure.Timeline.Cause, want) {
		t.Errorf("got %s, want the cause to begin with %q", r.Summary(), want)
	}
}

// The cause of a livelock says that nobody changes a variable only where that is so.
func TestWhatSpinnersRead(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, changes := range []bool{false, true} {
		r := run(t, small(t.Name()), func(t *explore.T) {
			var x atomic.Int64
			t.Go("reads", func() {
				for x.Load() != -1 {
				}
			})
			if changes {
				t.Go("changes", func() {
					for {
						x.Add(1)
					}
				})
			}
			t.Wait()
		})
		if r.Failure == nil || r.Failure.Kind != explore.KindLivelock {
			t.Fatalf("got %s, want a livelock", r.Summary())
		}
		if got := r.Failure.Timeline.Cause; strings.Contains(got, "nobody changes what it reads") == changes {
			t.Errorf("changed %v: got %q", changes, got)
		}
	}
}

// That locks are handed on may be seen only after the default schedule has deadlocked. It is still
// known then that the default schedule fails.
func TestPlainThoughHanded(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for seed := range uint64(8) {
		r := run(t, explore.Config{Seed: seed + 1, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 50}}}, func(t *explore.T) {
			var mu sync.Mutex
			var late atomic.Bool
			mu.Lock()
			t.Go("unlocks in time", func() {
				if !late.Load() {
					mu.Unlock()
				}
			})
			late.Store(true)
			mu.Lock()
		})
		if r.Failure == nil || r.Failure.Preemptions > 0 || !r.Failure.Plain {
			t.Errorf("seed %d: got %s, want that the default schedule fails", seed+1, r.Summary())
		}
	}
}

// A deadlock beside goroutines that live by timers is told of one goroutine and of several.
func TestStuckBesideTimers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, explore.Config{Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 4}}}, func(t *explore.T) {
		go func() {
			for range time.Tick(time.Millisecond) {
			}
		}()
		never := make(chan int)
		t.Go("first", func() { <-never })
		t.Go("second", func() { <-never })
		t.Wait()
	})
	if want := `"first" and "second" did not go on for a long time`; r.Failure == nil || !strings.Contains(r.Failure.Message, want) {
		t.Errorf("got %s, want %q", r.Summary(), want)
	}
}
