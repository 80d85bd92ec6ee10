package explore_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// The cause says what came between two operations of a stopped goroutine, even where these are on
// different objects, where the stop is in a go statement, or where others then wait for ever.
func TestCauseIsTheStop(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	stops := map[string]func(*explore.T){
		`"one" was stopped between Add\(1\) last = 1 \(step \d+\) and Lock mu \(step \d+\); meanwhile "two" did Add\(1\) last = 2 \(step \d+\) and Lock mu \(step \d+\)`: func(t *explore.T) {
			var last atomic.Int64
			var mu sync.Mutex
			var target int64
			update := func() {
				n := last.Add(1)
				mu.Lock()
				target = n
				mu.Unlock()
			}
			t.Go("one", update)
			t.Go("two", update)
			if t.Wait(); target != last.Load() {
				t.Errorf("target %d of %d", target, last.Load())
			}
		},
		`"body" was stopped before Store id 0 → 42 \(step \d+\); "reads" did Load id = 0 \(step \d+\) first`: func(t *explore.T) {
			var id atomic.Int64
			t.Go("reads", func() {
				if id.Load() != 42 {
					t.Errorf("no id")
				}
			})
			id.Store(42)
			t.Wait()
		},
		`"waits" waits for a value from c since step \d+, and nobody is left to send or to close it; before that, "waits" held mu from step \d+ to \d+ and took it again at step \d+; in between, at step \d+, "puts" had it: .*`: func(t *explore.T) {
			var mu sync.Mutex
			var readers []chan bool
			put := false
			t.Go("waits", func() {
				mu.Lock()
				was := put
				if mu.Unlock(); was {
					return
				}
				c := make(chan bool, 1)
				mu.Lock()
				readers = append(readers, c)
				mu.Unlock()
				<-c
			})
			t.Go("puts", func() {
				mu.Lock()
				defer mu.Unlock()
				put = true
				for _, c := range readers {
					c <- true
				}
			})
			t.Wait()
		},
		`lost wake-up: the Broadcast of cond by "runs" at step \d+ found nobody waiting; .*; before that, "waits" went on with a stale value: it read runs at step \d+ \(false\), "runs" changed it at step \d+ \(false → true\), and then "waits" did Cond\.Wait cond \(step \d+\)`: func(t *explore.T) {
			var runs atomic.Bool
			cond := sync.NewCond(new(sync.Mutex))
			t.Go("waits", func() {
				cond.L.Lock()
				defer cond.L.Unlock()
				for !runs.Load() {
					cond.Wait()
				}
			})
			t.Go("runs", func() {
				runs.Store(true)
				cond.Broadcast()
			})
			t.Wait()
		},
		`"one" was stopped between Load size = 1 \(step \d+\) and Lock mu \(step \d+\); meanwhile "two" did Lock mu \(step \d+\) and Add\(-1\) size = 0 \(step \d+\)`: func(t *explore.T) {
			var size atomic.Int32
			var mu sync.Mutex
			items := 1
			size.Store(1)
			take := func() {
				if size.Load() == 0 {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				if items == 0 {
					t.Errorf("nothing to take")
					return
				}
				items--
				size.Add(-1)
			}
			t.Go("one", take)
			t.Go("two", take)
			t.Wait()
		},
		`"waits" waits for a value from mine since step \d+, and nobody is left to send or to close it; before that, "waits" found queue empty at step \d+ and went on without; "sends" was stopped before send queue ← 1 \(step \d+\)`: func(t *explore.T) {
			waiters, queue := make(chan chan int, 1), make(chan int, 1)
			t.Go("sends", func() {
				select {
				case w := <-waiters:
					w <- 1
				default:
					queue <- 1
				}
			})
			t.Go("waits", func() {
				mine := make(chan int, 1)
				select {
				case <-queue:
				default:
					waiters <- mine
					<-mine
				}
			})
			t.Wait()
		},
		`"one" waits for a value from c since step \d+, and nobody is left to send or to close it; before that, "one" was stopped between len c = 1 \(step \d+\) and receive c \(step \d+\); meanwhile "two" did receive c = 1 \(step \d+\)`: func(t *explore.T) {
			c := make(chan int, 1)
			c <- 1
			take := func() {
				if len(c) > 0 {
					<-c
				}
			}
			t.Go("one", take)
			t.Go("two", take)
			t.Wait()
		},
		`"tells" waits for a receiver on told since step \d+, and nobody is left to receive; before that, "tells" was stopped between Load began = false \(step \d+\) and Load began = true \(step \d+\); meanwhile "serves" did Store began false → true \(step \d+\)`: func(t *explore.T) {
			var began atomic.Bool
			var mu sync.Mutex
			pass := func() { mu.Lock(); defer mu.Unlock() }
			added, told := make(chan bool), make(chan bool)
			t.Go("tells", func() {
				if began.Load() || !began.Load() {
					added <- false
					return
				}
				pass()
				added <- true
				time.Sleep(2 * time.Second)
				told <- true
			})
			t.Go("serves", func() {
				pass()
				began.Store(true)
				if <-added {
					time.Sleep(time.Second) // "tells" had the lock before
					pass()
				}
			})
			t.Wait()
		},
	}
	for want, body := range stops {
		meetsCause(t, want, body)
	}
}

// meetsCause fails unless a body fails for a cause.
func meetsCause(t *testing.T, want string, body func(*explore.T)) {
	t.Helper()
	r := run(t, small(t.Name()), body)
	if r.Failure == nil {
		t.Errorf("got %s, want a failure: %s", r.Summary(), want)
	} else if cause := r.Failure.Timeline.Cause; !regexp.MustCompile("^" + want + "$").MatchString(cause) {
		t.Errorf("got the cause %q, want %s", cause, want)
	}
}

// A goroutine that itself changes what it has read does not want to see it unchanged beside a later
// read: it went on with a stale value.
func TestReaderOutdatesWhatItRead(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"looks" went on with a stale value: it read n at step \d+ \(1\), "gives" changed it at step \d+ \(1 → 0\), and then "looks" did Add\(1\) n = 1 \(step \d+\)`, func(t *explore.T) {
		var n atomic.Int32
		var closed atomic.Bool
		n.Store(1)
		t.Go("looks", func() {
			if n.Load() > 0 && n.Add(1) > 0 && closed.Load() {
				t.Errorf("closed, and in use")
			}
		})
		t.Go("gives", func() {
			if n.Add(-1) == 0 {
				closed.Store(true)
			}
		})
		t.Wait()
	})
}

// The cause of a time-out is the goroutine that would have come in time.
func TestCauseOfATimeOut(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"body" found work not ready at step \d+ and went on without; "works" had not begun, and came to send work ← 1 \(step \d+\) too late`, func(t *explore.T) {
		work := make(chan int, 1)
		t.Go("works", func() { work <- 1 })
		select {
		case <-work:
		case <-time.After(0):
			t.Errorf("timed out")
		}
		t.Wait()
	})
}

// A signal that is sent only if somebody receives is lost on one who does not receive yet.
func TestCauseOfASignalTooEarly(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"signals" found news without a receiver at step \d+ and went on without; "listens" had not begun, and came to select news \| time.After\(…\) \(step \d+\) too late`, func(t *explore.T) {
		news := make(chan int)
		t.Go("listens", func() {
			select {
			case <-news:
			case <-time.After(time.Second):
				t.Errorf("no news")
			}
		})
		t.Go("signals", func() {
			select {
			case news <- 1:
			default:
			}
		})
		t.Wait()
	})
}

// A map may change within a call that looks at several of its entries.
func TestCauseWithinARange(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"ranges" was stopped within Map.Range m \(step \d+\); meanwhile "moves" did Map.Delete m \(step \d+\)`, func(t *explore.T) {
		var m sync.Map
		m.Store("old", true)
		t.Go("moves", func() { m.Store("new", true); m.Delete("old") })
		t.Go("ranges", func() {
			n := 0
			m.Range(func(any, any) bool { n++; return true })
			if n == 0 {
				t.Errorf("never empty, and seen empty")
			}
		})
		t.Wait()
	})
}

// A check of a map is stale when it is acted upon, even if the stop is within the call that does so.
func TestStaleCheckOfAMap(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"(one|two)" went on with a stale value: it read m at step \d+, "(one|two)" changed it at step \d+, and then "(one|two)" (did|went on with) Map.Swap m \(step \d+\)`, func(t *explore.T) {
		var m sync.Map
		m.Store("n", 0)
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				n, _ := m.Load("n")
				m.Swap("n", n.(int)+1)
			})
		}
		t.Wait()
		if n, _ := m.Load("n"); n != 2 {
			t.Errorf("got %v, want 2", n)
		}
	})
}

// A variable that is only counted up decides less than what keeps others out of a check, and of what acts
// on it.
func TestCauseBesideACounter(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"[^"]+" was stopped between receive lock .*\(step \d+\) and send lock .*\(step \d+\); meanwhile "[^"]+" did (send|receive) lock .*\(step \d+\)`, func(t *explore.T) {
		lock := make(chan int, 1)
		var calls atomic.Int64
		var set, twice bool
		guarded := func(f func()) {
			lock <- 1
			f()
			<-lock
			calls.Add(1)
		}
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				missing := false
				guarded(func() { missing = !set })
				if missing {
					guarded(func() { set, twice = true, set })
				}
			})
		}
		t.Wait()
		if twice {
			t.Errorf("set twice")
		}
	})
}

// A wait group counted below zero is told with who counted it down to zero, whether Done is called by a
// go statement, or as a method value. A Wait that only begins to wait does not panic.
func TestCauseOfANegativeGroup(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, done := range []func(*sync.WaitGroup){
		func(wg *sync.WaitGroup) { go wg.Done() },
		func(wg *sync.WaitGroup) { f := wg.Done; go f() },
	} {
		r := run(t, small(t.Name()), func(*explore.T) {
			var wg sync.WaitGroup
			wg.Add(2)
			for range 3 {
				done(&wg)
			}
			wg.Wait()
		})
		if r.Failure == nil {
			t.Fatalf("got %s, want a panic", r.Summary())
		}
		const want = `^"[^"]+" counted wg below zero at step (\d+): by then Done had been called more often than was added; "[^"]+" had counted it down at step (\d+)$`
		line := r.Failure.Timeline
		steps := regexp.MustCompile(want).FindStringSubmatch(line.Cause)
		if steps == nil {
			t.Errorf("got the cause %q, want %q", line.Cause, want)
		}
		for _, s := range line.Steps {
			if at := fmt.Sprint(s.Index); steps != nil && at == steps[2] && (s.Op != "Done" || s.Value != "1 → 0") || s.Op == "Wait" && s.Outcome != "" && s.Outcome != "blocked" {
				t.Errorf("got %+v, want Done to 0, and a Wait that waits", s)
			}
		}
	}
}

// A racing access within a send is a step of its own. The panic is told of the send all the same.
func TestCauseOfASendThatRaces(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	closes, within := regexp.MustCompile(`"closes" closed c at step \d+ \(.*\); "sends" (sent|had begun to send) on it at step \d+`), 0
	for seed := range uint64(20) {
		plan := []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1000}}
		r := run(t, explore.Config{Name: t.Name(), Seed: seed + 1, Races: explore.RacesNote, Plan: plan, Minimise: -1}, func(t *explore.T) {
			c := make(chan int)
			t.Go("receives", func() { <-c })
			t.Go("sends", func() { c <- 1 })
			t.Go("closes", func() { close(c) })
			t.Wait()
		})
		if f := r.Failure; f == nil || !closes.MatchString(f.Timeline.Cause) {
			t.Errorf("got %s, want the panic, told as %s", r.Summary(), closes)
		} else if strings.Contains(f.Timeline.Cause, "had begun") {
			within++
		}
	}
	if within == 0 {
		t.Error("got no send that had begun before the channel was closed, want some")
	}
}

// A goroutine may be left at a channel because a select that could have met it took another case.
func TestCauseIsTheOtherCase(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	meetsCause(t, `"sends" waits for a receiver on answer since step \d+, and nobody is left to receive: "asks" had that case in a select, and took receive done \(step \d+\)`, func(t *explore.T) {
		answer, done := make(chan int), make(chan bool)
		t.Go("asks", func() {
			select {
			case <-answer:
			case <-done:
			}
		})
		t.Go("sends", func() { answer <- 1 })
		t.Go("ends", func() { close(done) })
		t.Wait()
	})
	meetsCause(t, `"leaves" waits for a receiver on left since step \d+, and nobody is left to receive: "runs" had that case in a select, and took receive quit \(step \d+\)`, func(t *explore.T) {
		left, quit := make(chan int), make(chan bool)
		t.Go("runs", func() {
			for {
				select {
				case <-left:
				case <-quit:
					return
				}
			}
		})
		t.Go("stops", func() { time.Sleep(time.Second); close(quit) })
		t.Go("leaves", func() { time.Sleep(2 * time.Second); left <- 1 })
		t.Wait()
	})
}
