package explore_test

import (
	"io"
	"log"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// shown returns the rows of a failure's table, without those for -v only. Each has an
// operation, object, value and outcome.
func shown(t *testing.T, body func(*explore.T)) (rows []string, r *explore.Result) {
	t.Helper()
	r = run(t, small(t.Name()), body)
	if r.Failure == nil {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	for _, s := range r.Failure.Timeline.Steps {
		if s.Matters {
			rows = append(rows, strings.Join(strings.Fields(s.Op+" "+s.Object+" "+s.Value+" "+s.Outcome), " "))
		}
	}
	return rows, r
}

// The table shows a sleep, the operations of a timer's function, the results of Stop and
// Reset, and which goroutine a timer woke.
func TestTimeIsTold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rows, _ := shown(t, func(t *explore.T) {
		var n atomic.Int64
		timer := time.AfterFunc(time.Second, func() { n.Add(1) })
		t.Go("resets", func() {
			timer.Stop()
			timer.Reset(time.Second)
		})
		t.Go("sleeps", func() {
			time.Sleep(2 * time.Second)
			timer.Stop()
		})
		t.Go("waits", func() { <-time.After(3 * time.Second) })
		t.Wait()
		t.Errorf("%d", n.Load())
	})
	for _, want := range []string{"Stop timer = true", "Reset timer = false", "sleep blocked", "timer fires", "sleep woken after 2s", "Stop timer = false", "receive time.After(…) woken"} {
		if !slices.Contains(rows, want) {
			t.Errorf("got no row %q in\n%s", want, strings.Join(rows, "\n"))
		}
	}
}

// A sleep in a bubble is shown with the time that it takes by the bubble's clock.
func TestBubbledSleepIsTold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rows, _ := shown(t, func(t *explore.T) {
		programs.Bubble(func() {
			go time.Sleep(time.Second)
			time.Sleep(time.Second)
		})
		t.Errorf("over")
	})
	if !slices.Contains(rows, "sleep woken by the bubble's clock") || strings.Contains(strings.Join(rows, "\n"), "after 0s") {
		t.Errorf("got no sleep with its time in\n%s", strings.Join(rows, "\n"))
	}
}

// An empty select is shown as such, and not as the operation before it.
func TestEmptySelectIsTold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rows, r := shown(t, func(t *explore.T) {
		var n atomic.Int64
		t.Go("waits", func() {
			n.Store(1)
			select {}
		})
		select {}
	})
	if count := len(slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return row != "select {} blocked" })); count != 2 {
		t.Errorf("got %d rows of an empty select, want 2 in\n%s", count, strings.Join(rows, "\n"))
	}
	tl := r.Failure.Timeline
	if want := `"waits" waits for nothing, in select {}`; !strings.Contains(tl.Cause, want) {
		t.Errorf("got the cause %q, want %s", tl.Cause, want)
	}
	for _, w := range tl.Blocked {
		if w.Object != "nothing, in select {}" || !strings.Contains(w.Where, "told_test.go") {
			t.Errorf("got %s waits for %s at %s, want nothing, in select {}, here", w.Thread, w.Object, w.Where)
		}
	}
}

// An object has no number if no other object in the table has its name. One that a goroutine
// has to itself does not count.
func TestOneOfANameHasNoNumber(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	type guarded struct {
		mu sync.Mutex
		n  int
	}
	add := func(g *guarded) {
		g.mu.Lock()
		g.n++
		g.mu.Unlock()
	}
	rows, _ := shown(t, func(t *explore.T) {
		shared := new(guarded)
		for range 2 {
			t.Go("adds", func() {
				add(new(guarded))
				add(shared)
			})
		}
		t.Wait()
		t.Errorf("%d", shared.n)
	})
	if !slices.Contains(rows, "Lock g.mu") || slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, "#") }) {
		t.Errorf("got the rows\n%s\nwant those of g.mu, without a number", strings.Join(rows, "\n"))
	}
}

// A sleep after a send is a row of its own, and not a wait at a channel.
func TestSleepAfterASendIsTold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rows, _ := shown(t, func(t *explore.T) {
		c := make(chan int)
		t.Go("receives", func() { <-c })
		t.Go("sends", func() {
			c <- 1
			time.Sleep(time.Second)
		})
		t.Wait()
		t.Errorf("over")
	})
	if !slices.Contains(rows, "sleep blocked") || slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, "nil") }) {
		t.Errorf("got the rows\n%s\nwant a sleep, and no nil channel", strings.Join(rows, "\n"))
	}
}

// An operation on half of a variable is shown as such in the table.
func TestHalfAVariableIsTold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rows, _ := shown(t, func(t *explore.T) {
		var word uint64
		low := (*uint32)(unsafe.Pointer(&word))
		high := (*uint32)(unsafe.Add(unsafe.Pointer(&word), 4))
		t.Go("stores", func() { atomic.StoreUint64(&word, 1<<32|2) })
		t.Go("loads", func() {
			if atomic.LoadUint32(high) == 0 {
				return
			}
			if atomic.LoadUint32(low) == 2 {
				t.Errorf("both")
			}
		})
		t.Wait()
	})
	for _, want := range []string{"Store word 0 → 4294967298", "Load word (upper half) = 1", "Load word (lower half) = 2"} {
		if !slices.Contains(rows, want) {
			t.Errorf("got no row %q in\n%s", want, strings.Join(rows, "\n"))
		}
	}
}

// The writes of two goroutines to one log are steps that matter.
func TestLogLinesAreTold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rows, r := shown(t, func(t *explore.T) {
		var out strings.Builder
		l := log.New(&out, "", 0)
		t.Go("one", func() { l.Print("a") })
		t.Go("two", func() { l.Print("b") })
		t.Wait()
		if out.String() != "a\nb\n" {
			t.Errorf("got %q", out.String())
		}
	})
	if cause := r.Failure.Timeline.Cause; cause != `"two" did Print (step 7) before "one", which was started first, did Print (step 9)` {
		t.Errorf("got the cause %q, want the order of the two", cause)
	}
	for _, th := range []int{1, 2} {
		if !slices.ContainsFunc(r.Failure.Timeline.Steps, func(s timeline.Step) bool { return s.Thread == th && s.Matters }) {
			t.Errorf("got no row of %s in\n%s", r.Failure.Timeline.Threads[th].Name, strings.Join(rows, "\n"))
		}
	}
}

// The cause is what the program does, not what the standard library does for it.
func TestCauseIsOfTheProgram(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		here, there := net.Pipe()
		var stock atomic.Int64
		stock.Store(1)
		t.Go("reads", func() { io.Copy(io.Discard, there) })
		var takers sync.WaitGroup
		for range 2 {
			takers.Go(func() {
				here.Write([]byte("takes"))
				if stock.Load() > 0 {
					stock.Add(-1)
				}
				here.Write([]byte("took"))
			})
		}
		takers.Wait()
		here.Close()
		t.Wait()
		if stock.Load() < 0 {
			t.Errorf("%d left", stock.Load())
		}
	})
	if f := r.Failure; f == nil || !strings.Contains(f.Timeline.Cause, "stale value: it read stock") {
		t.Errorf("got %s, want a stale value of stock", r.Summary())
	}
}

// The cause explains the check that fails first, and no later operation.
func TestCauseOfTheFirstCheck(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		pool, signal := make(chan int, 1), make(chan int)
		borrow := func() bool {
			select {
			case pool <- 1:
				return true
			default:
				return false
			}
		}
		pool <- 1
		t.Go("returns", func() {
			<-pool
			select {
			case signal <- 1:
			default:
			}
		})
		if !borrow() {
			select {
			case <-signal:
			case <-time.After(time.Second):
				t.Errorf("timed out")
			}
			if borrow() && t.Failed() {
				t.Errorf("and yet there was one")
			}
		}
		t.Wait()
	})
	if r.Failure == nil {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, "body\" found pool full at step") {
		t.Errorf("got %q, want the full pool as the cause", cause)
	}
}

// That a goroutine waited for others is not the cause of a failed check: neither what it did
// before and after the wait, nor that it came too late because of it.
func TestWaitsAreNoStops(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, body := range map[string]func(*explore.T){
		"took it again": func(t *explore.T) {
			var mu sync.Mutex
			c := make(chan func())
			take := func() {
				mu.Lock()
				defer mu.Unlock()
			}
			t.Go("serves", func() {
				for f := range c {
					f()
				}
			})
			c <- take
			c <- func() {}
			take()
			c <- take
			close(c)
			t.Wait()
			t.Errorf("to be shown")
		},
		"too late": func(t *explore.T) {
			over, done := make(chan struct{}), make(chan struct{})
			t.Go("closes", func() {
				<-over
				close(done)
			})
			select {
			case <-done:
			default:
			}
			t.Errorf("to be shown")
			close(over)
			t.Wait()
		},
	} {
		if _, r := shown(t, body); strings.Contains(r.Failure.Timeline.Cause, name) {
			t.Errorf("got the cause %q, want none with a goroutine that waits", r.Failure.Timeline.Cause)
		}
	}
}

// Of two goroutines that claim a variable the one that came second is told, and not that a
// goroutine ended before another one had waited for it, which is so in each schedule.
func TestCauseOfALostClaim(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, swap := range []bool{false, true} {
		r := run(t, small(t.Name()), func(t *explore.T) {
			var closed atomic.Bool
			var leader atomic.Int64
			var wg sync.WaitGroup
			claim := func() bool {
				if swap {
					return !closed.Swap(true)
				}
				return leader.CompareAndSwap(0, 1)
			}
			wg.Go(func() { claim() })
			if !claim() {
				t.Errorf("the first has lost")
			}
			wg.Wait()
		})
		if r.Failure == nil {
			t.Fatalf("got %s, want a failure", r.Summary())
		}
		want := regexp.MustCompile(`^"wg\.Go" did (Swap\(true\) closed = false|CompareAndSwap\(0→1\) leader = true) \(step \d+\); "body" came second, and did (Swap\(true\) closed = true|CompareAndSwap\(0→1\) leader = false: it is 1) \(step \d+\)$`)
		if cause := r.Failure.Timeline.Cause; !want.MatchString(cause) {
			t.Errorf("got the cause %q, want %s", cause, want)
		}
	}
}

// If a schedule deviates only once from the default one, which passes, the goroutine that ran in
// another's turn is told, and what the two did in that order; but rather who closed a channel that
// the other one uses.
func TestCauseIsWhoRanFirst(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	type settings struct{ name string }
	programs := map[string]func(*explore.T){
		`"reads" did Load p \(step \d+\) before "stores", which was started first, ran`: func(t *explore.T) {
			var p atomic.Pointer[settings]
			t.Go("stores", func() { p.Store(new(settings)) })
			t.Go("reads", func() { t.Log(p.Load().name) })
		},
		`"calls" did Lock mu \(step \d+\) before "sets", which was started first, ran`: func(t *explore.T) {
			var mu sync.Mutex
			var hook func()
			t.Go("sets", func() { mu.Lock(); hook = func() {}; mu.Unlock() })
			t.Go("calls", func() { mu.Lock(); h := hook; mu.Unlock(); h() }) // panics behind Unlock, not in it
		},
		``: func(t *explore.T) { // two selects decide, and no turn
			a, b := make(chan int, 2), make(chan int, 2)
			t.Go("sends", func() { a <- 1; a <- 1; b <- 2; b <- 2 })
			got := 0
			for t.Wait(); got < 2; got++ {
				select {
				case <-a:
				case <-b:
					return
				}
			}
			t.Errorf("twice a")
		},
		`"two" did Once\.Do once \(step \d+\) before "one", which was started first, did Once\.Do once \(step \d+\)`: func(t *explore.T) {
			var once sync.Once
			got := 0
			t.Go("one", func() { once.Do(func() { got = 1 }) })
			t.Go("two", func() { once.Do(func() { got = 2 }) })
			if t.Wait(); got != 1 {
				t.Errorf("got %d", got)
			}
		},
		`"closes" closed c at step \d+ \(explore/told_test\.go:\d+\); "sends" sent on it at step \d+ \(explore/told_test\.go:\d+\)`: func(t *explore.T) {
			var mu sync.Mutex
			c := make(chan int, 1)
			t.Go("sends", func() {
				mu.Lock()
				defer mu.Unlock()
				defer func() {
					if r := recover(); r != nil {
						t.Error(r)
					}
				}()
				select {
				case c <- 1:
				default:
				}
			})
			t.Go("closes", func() { mu.Lock(); close(c); mu.Unlock() })
		},
		`"two" did send first ← 2 \(step \d+\) before "one", which could run too, did send first ← 1 \(step \d+\)`: func(t *explore.T) {
			ready, start, first := make(chan bool), make(chan bool), make(chan int, 2)
			t.Go("one", func() { ready <- true; <-start; first <- 1 })
			<-ready
			t.Go("two", func() { ready <- true; <-start; first <- 2 })
			<-ready
			close(start)
			if t.Wait(); <-first != 1 {
				t.Errorf("two came first")
			}
		},
	}
	for want, body := range programs {
		r := run(t, small(t.Name()), body)
		if r.Failure == nil {
			t.Errorf("got %s, want a failure: %s", r.Summary(), want)
		} else if cause := r.Failure.Timeline.Cause; !regexp.MustCompile("^" + want + "$").MatchString(cause) {
			t.Errorf("got the cause %q, want %s", cause, want)
		}
	}
}
