package explore_test

import (
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// races explores a body that has a data race, and returns the result.
func races(t *testing.T, body func(*explore.T)) *explore.Result {
	t.Helper()
	r := run(t, small(t.Name()), body)
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindRace {
		t.Fatalf("got %v (%s), want a data race", r.Verdict, r.Summary())
	}
	return r
}

// The description of a data race names the locks held at the accesses, and no lock released
// before them.
func TestLocksOfARace(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, programs.HalfGuarded)
	if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, `"one" holds b, "two" does not`) {
		t.Errorf("got the cause %q, want one lock held, b", cause)
	}
}

// A sync.WaitGroup itself reports an Add beside a Wait to the race detector. The report names the
// two calls, and where the program makes them.
func TestRaceOfAWaitGroup(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		var wg sync.WaitGroup
		t.Go("adds", func() {
			wg.Add(1)
			wg.Done()
		})
		t.Go("waits", func() { wg.Wait() })
		t.Wait()
	})
	for _, want := range []string{`"adds" did Add wg at step `, `"waits" did Wait wg at step `} {
		if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, want) {
			t.Errorf("got the cause %q, want %q", cause, want)
		}
	}
	if n := strings.Count(r.Failure.Message, " at explore/cause_test.go:"); n != 2 {
		t.Errorf("got %q, want both places in this file", r.Failure.Message)
	}
}

// writesAndReads has a race on value in goroutines of a generic function. One of the two lines
// also calls a wait group.
func writesAndReads[T comparable](t *explore.T, one T) {
	var value T
	var wg sync.WaitGroup
	wg.Add(1)
	t.Go("writes", func() { value = one })
	t.Go("reads", func() { _ = value == one; wg.Done() })
	wg.Wait()
	t.Wait()
}

// The accesses of a race are described as a read and a write, even in a generic function and on
// the line of a call of a wait group.
func TestRaceInAGenericFunction(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) { writesAndReads(t, 1) })
	cause := r.Failure.Timeline.Cause
	for _, want := range []string{`"writes" wrote `, `"reads" read `, "value"} {
		if !strings.Contains(cause, want) {
			t.Errorf("got the cause %q, want %q", cause, want)
		}
	}
	if strings.Contains(cause, "Done") || strings.Contains(cause, "wg") {
		t.Errorf("got the cause %q, want nothing about the wait group", cause)
	}
}

// A woken goroutine that does not check again may run after another one has taken the item. This
// is the cause, and not that the producer held the lock twice.
func TestStolenWakeUp(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var mu sync.Mutex
		filled, things := sync.NewCond(&mu), 0
		take := func() {
			mu.Lock()
			defer mu.Unlock()
			if things == 0 {
				filled.Wait()
			}
			if things--; things < 0 {
				t.Errorf("nothing to take")
			}
		}
		t.Go("one", take)
		t.Go("two", take)
		t.Go("puts", func() {
			for range 2 {
				mu.Lock()
				things++
				mu.Unlock()
				filled.Signal()
			}
		})
		t.Wait()
	})
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck {
		t.Fatalf("got %v (%s), want a failed check", r.Verdict, r.Summary())
	}
	cause := r.Failure.Timeline.Cause
	for _, want := range []string{" was woken by the Signal of filled at step ", ", and had mu again at step ", "what was so when it was woken need not be so any more"} {
		if !strings.Contains(cause, want) {
			t.Errorf("got the cause %q, want %q", cause, want)
		}
	}
}

// With RacesNote the access of the send is a row of its own. The panic happens in that row.
func TestSendBesideClose(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Races = explore.RacesNote
	r := run(t, cfg, func(t *explore.T) {
		c := make(chan int, 1)
		t.Go("sends", func() {
			select {
			case c <- 1:
			default:
			}
		})
		t.Go("closes", func() { close(c) })
		t.Wait()
	})
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindPanic {
		t.Fatalf("got %v (%s), want a panic", r.Verdict, r.Summary())
	}
	if cause := r.Failure.Timeline.Cause; !strings.HasPrefix(cause, `"closes" closed c at step `) || !strings.Contains(cause, `"sends" sent on it at step `) {
		t.Errorf("got the cause %q, want the goroutines that closed the channel and sent on it", cause)
	}
}

// The cause of a select that sends on a closed channel names that channel, and no other closed
// channel of its cases.
func TestSelectBesideClose(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		c, done := make(chan int), make(chan int)
		close(done)
		close(c)
		select {
		case <-done:
		case c <- 1:
		}
	})
	if r.Failure == nil || !strings.Contains(r.Failure.Timeline.Cause, ` closed c at step `) {
		t.Errorf("got %s, want that c was closed", r.Summary())
	}
}

// The cause of a panic is the operation that panicked, not a deferred call that runs after it.
func TestPanicThroughDeferred(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for want, body := range map[string]func(*explore.T, *sync.WaitGroup, chan int){
		`"other" sent on it at step `: func(t *explore.T, wg *sync.WaitGroup, c chan int) {
			close(c)
			t.Go("other", func() {
				defer wg.Done()
				c <- 1
			})
		},
		`"other" had begun to send on it at step `: func(t *explore.T, wg *sync.WaitGroup, c chan int) {
			t.Go("other", func() {
				defer wg.Done()
				c <- 1
			})
			time.Sleep(time.Minute) // by then the other goroutine waits
			close(c)
		},
		`"other" closed it again at step `: func(t *explore.T, wg *sync.WaitGroup, c chan int) {
			close(c)
			t.Go("other", func() {
				defer wg.Done()
				close(c)
			})
		},
		`"other" counted none below zero at step `: func(t *explore.T, wg *sync.WaitGroup, _ chan int) {
			var none sync.WaitGroup
			t.Go("other", func() {
				defer wg.Done()
				none.Done()
			})
		},
	} {
		if cause := causeOfPanic(t, func(t *explore.T, wg *sync.WaitGroup) { body(t, wg, make(chan int)) }); !strings.Contains(cause, want) {
			t.Errorf("got the cause %q, want %q", cause, want)
		}
	}
}

// Of several windows the cause describes the last one: the first change was overwritten.
func TestLastWindow(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Plan = []explore.Stage{{Strategy: explore.POS(), Schedules: 3000}}
	r := run(t, cfg, func(t *explore.T) {
		var p atomic.Pointer[int]
		var lock sync.Mutex
		sets := func() { p.Store(new(int)) }
		clears := func() { p.Store(nil) }
		t.Go("reads", func() {
			if p.Load() != nil {
				return
			}
			lock.Lock()
			found := p.Load() != nil
			lock.Unlock()
			if found {
				_ = *p.Load()
			}
		})
		t.Go("sets", sets)
		t.Go("clears", clears)
		t.Wait()
	})
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindPanic {
		t.Fatalf("got %v (%s), want a panic", r.Verdict, r.Summary())
	}
	if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, `meanwhile "clears" did Store p `) {
		t.Errorf("got the cause %q, want the goroutine that cleared it", cause)
	}
}

// The cause of a failed TryLock names the goroutine that holds the lock, preempted or not.
func TestFailedTry(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, body := range map[string]func(t *explore.T){
		"stopped": func(t *explore.T) {
			var mu sync.Mutex
			n := 0
			t.Go("holds", func() { mu.Lock(); n++; mu.Unlock() })
			t.Go("tries", func() {
				if !mu.TryLock() {
					t.Errorf("no lock")
				}
			})
		},
		"waits": func(t *explore.T) {
			var mu sync.RWMutex
			c := make(chan int)
			t.Go("holds", func() { mu.Lock(); c <- 1; mu.Unlock() })
			t.Go("tries", func() {
				<-c
				if !mu.TryRLock() {
					t.Errorf("no lock")
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, small(t.Name()), func(t *explore.T) { body(t); t.Wait() })
			if r.Failure == nil {
				t.Fatalf("got %s, want a failure", r.Summary())
			}
			if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, `"tries" did not get mu at step `) || !strings.Contains(cause, `which "holds" had since step `) {
				t.Errorf("got the cause %q, want the goroutine that has the lock", cause)
			}
		})
	}
}

// The cause of a select that takes its default names the goroutine stopped before the channel.
func TestMissedChannel(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, c := range map[string]struct {
		body func(t *explore.T)
		want string
	}{
		"closed too late": {func(t *explore.T) {
			stopped, events := make(chan int), make(chan int)
			t.Go("reads", func() { close(stopped); close(events) })
			t.Go("closes", func() {
				<-stopped
				select {
				case <-events:
				default:
					t.Errorf("events is open")
				}
			})
		}, `"closes" found events empty at step`},
		"full": {func(t *explore.T) {
			ticks := make(chan int, 1)
			t.Go("reads", func() {
				for i := range 2 {
					if got := <-ticks; got != i {
						t.Errorf("got tick %d, want %d", got, i)
					}
				}
			})
			t.Go("ticks", func() {
				for i := range 3 {
					select {
					case ticks <- i:
					default:
					}
				}
				close(ticks)
			})
		}, `"ticks" found ticks full at step`},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, small(t.Name()), func(t *explore.T) { c.body(t); t.Wait() })
			if r.Failure == nil {
				t.Fatalf("got %s, want a failure", r.Summary())
			}
			if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, c.want) || !strings.Contains(cause, `; "reads" `) {
				t.Errorf("got the cause %q, want %s", cause, c.want)
			}
		})
	}
}

// If only the order in which two goroutines take a lock decides, the cause describes it.
func TestFirstHold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	type pool struct {
		mu   sync.Mutex
		free *int
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		p := &pool{free: new(int)}
		t.Go("takes", func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			*p.free++
		})
		t.Go("closes", func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.free = nil
		})
		t.Wait()
	})
	if r.Failure == nil {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	want := regexp.MustCompile(`^"closes" had p\.mu at step \d+, before "takes", which had not begun, came to it at step \d+$`)
	if cause := r.Failure.Timeline.Cause; !want.MatchString(cause) {
		t.Errorf("got the cause %q, want %s", cause, want)
	}
}

// A goroutine is stopped between two calls of sync.Map: the calls are told, not their steps.
func TestStoppedBetweenCalls(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var m sync.Map
		t.Go("stores", func() { m.Store("a", 1) })
		t.Go("looks", func() {
			if _, ok := m.Load("a"); ok {
				return
			}
			if _, ok := m.Load("a"); ok {
				t.Errorf("it came meanwhile")
			}
		})
		t.Wait()
	})
	if r.Failure == nil {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	want := regexp.MustCompile(`^"looks" was stopped between Map\.Load m \(step \d+\) and Map\.Load m \(step \d+\); meanwhile "stores" did Map\.Store m \(step \d+\)$`)
	if cause := r.Failure.Timeline.Cause; !want.MatchString(cause) {
		t.Errorf("got the cause %q, want %s", cause, want)
	}
}

// A count of goroutines may include one that is about to end. Such a count makes leak tests fail
// although nothing leaks.
func TestCauseOfACount(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, explore.Config{}, func(t *explore.T) {
		before := runtime.NumGoroutine()
		done := make(chan struct{})
		t.Go("ends", func() { close(done) })
		<-done
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%d goroutines, and %d before", n, before)
		}
		t.Wait()
	})
	if r.Failure == nil {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	if cause := r.Failure.Timeline.Cause; !strings.HasSuffix(cause, `(2), when "ends" had nothing left to do and had not ended`) {
		t.Errorf("got the cause %q, want the goroutine that was about to end", cause)
	}
}

// What a goroutine does after it has failed decides nothing.
func TestNoCauseAfterTheFailure(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		var n atomic.Int32
		t.Go("other", func() { n.Add(1) })
		if n.Add(1) == 1 && runtime.NumGoroutine() == 1 {
			t.Errorf("it has ended")
		}
		n.Add(1)
	})
	if f := r.Failure; f == nil || strings.Contains(f.Timeline.Cause, "was stopped between") {
		t.Errorf("got %v, want no step after the failure as its cause", f)
	}
}
