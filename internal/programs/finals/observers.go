package finals

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/jacquard-go/jacquard/explore"
)

// Side runs each of all in its own goroutine. The final state is what they return.
func Side(t *explore.T, say func(func() string), all ...func() string) {
	got := make([]string, len(all))
	say(func() string { return fmt.Sprint(got) })
	for i, f := range all {
		t.Go(string(rune('a'+i)), func() { got[i] = f() })
	}
	t.Wait()
}

// panics returns text that says whether f panics.
func panics(f func()) (text string) {
	defer func() {
		if recover() != nil {
			text = "panics"
		}
	}()
	f()
	return "ends"
}

// Observers returns programs that observe what most programs cannot: how many values a
// channel holds, which goroutine counted a wait group below zero, what a pool has kept,
// one half of a variable.
func Observers() []Final {
	return []Final{
		{"who counts below zero", func(t *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			wg.Add(1)
			done := func() string { return panics(wg.Done) }
			Side(t, say, done, done)
		}},
		{"who of three counts below zero", func(t *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			wg.Add(2)
			done := func() string { return panics(wg.Done) }
			Side(t, say, done, done, done)
		}},
		{"Add(-1) beside Done", func(t *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			wg.Add(1)
			Side(t, say, func() string { return panics(wg.Done) }, func() string { return panics(func() { wg.Add(-1) }) })
		}},
		{"len beside a send", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 2)
			Side(t, say, func() string { return fmt.Sprint(len(ch)) }, func() string { ch <- 1; ch <- 2; return "" })
		}},
		{"len beside a receive", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 2)
			ch <- 1
			Side(t, say, func() string { a := len(ch); return fmt.Sprint(a, len(ch)) }, func() string { <-ch; return "" })
		}},
		{"len beside both", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 1)
			Side(t, say, func() string { return fmt.Sprint(len(ch)) }, func() string { ch <- 1; return "" }, func() string { <-ch; return "" })
		}},
		{"len where nothing is kept", func(t *explore.T, say func(func() string)) {
			ch := make(chan int)
			Side(t, say, func() string { return fmt.Sprint(len(ch), cap(ch)) }, func() string { ch <- 1; return "" }, func() string { <-ch; return "" })
		}},
		{"len by way of a select's default", func(t *explore.T, say func(func() string)) {
			ch := make(chan int, 1)
			Side(t, say, func() string {
				if len(ch) == cap(ch) {
					return "full"
				}
				select {
				case ch <- 1:
					return "sent"
				default:
					return "not sent"
				}
			}, func() string { ch <- 2; return "" }, func() string {
				select {
				case v := <-ch:
					return fmt.Sprint(v)
				default:
					return "none"
				}
			})
		}},
		{"a default beside a close", func(t *explore.T, say func(func() string)) {
			ch := make(chan int)
			Side(t, say, func() string {
				select {
				case <-ch:
					return "closed"
				default:
					return "open"
				}
			}, func() string { close(ch); return "" })
		}},
		{"a pool that is put to", func(t *explore.T, say func(func() string)) {
			var p sync.Pool
			Side(t, say, func() string { return fmt.Sprint(p.Get() != nil) }, func() string { p.Put(new(int)); return "" })
		}},
		{"a pool that two get from", func(t *explore.T, say func(func() string)) {
			var p sync.Pool
			p.Put(new(int))
			get := func() string { return fmt.Sprint(p.Get() != nil) }
			Side(t, say, get, get)
		}},
		{"a pool that goes round", func(t *explore.T, say func(func() string)) {
			n := 0
			p := sync.Pool{New: func() any { n++; return n }}
			use := func() string { v := p.Get(); p.Put(v); return fmt.Sprint(v) }
			Side(t, say, use, use)
		}},
		{"the upper half of a word", func(t *explore.T, say func(func() string)) {
			var x atomic.Uint64
			half := (*[2]uint32)(unsafe.Pointer(&x))
			Side(t, say, func() string { x.Add(1 << 32); return "" }, func() string { return fmt.Sprint(atomic.LoadUint32(&half[1])) })
		}},
		{"two halves and a whole", func(t *explore.T, say func(func() string)) {
			var x atomic.Uint64
			half := (*[2]uint32)(unsafe.Pointer(&x))
			Side(t, say, func() string { atomic.StoreUint32(&half[1], 1); return "" }, func() string { atomic.StoreUint32(&half[0], 1); return "" },
				func() string { return fmt.Sprint(x.Load()) })
		}},
		{"a whole and then its half", func(t *explore.T, say func(func() string)) {
			var x atomic.Uint64
			half := (*[2]uint32)(unsafe.Pointer(&x))
			Side(t, say, func() string { x.Store(3 << 32); return fmt.Sprint(atomic.AddUint32(&half[1], 1)) }, func() string { x.Store(7 << 32); return "" })
		}},
		{"how many goroutines there are behind one's last word", func(t *explore.T, say func(func() string)) {
			before, n := runtime.NumGoroutine(), 0
			say(func() string { return fmt.Sprint(n) })
			done := make(chan int)
			go func() { close(done) }()
			<-done
			n = runtime.NumGoroutine() - before
		}},
		{"how many goroutines a profile has behind one's last word", func(t *explore.T, say func(func() string)) {
			count := func() int { n, _ := runtime.GoroutineProfile(nil); return n }
			before, n := count(), 0
			say(func() string { return fmt.Sprint(n) })
			done := make(chan int)
			go func() { close(done) }()
			<-done
			n = count() - before
		}},
		{"how many goroutines are measured behind one's last word", func(t *explore.T, say func(func() string)) {
			count := func() int {
				s := []metrics.Sample{{Name: "/sched/goroutines:goroutines"}}
				metrics.Read(s)
				return int(s[0].Value.Uint64())
			}
			before, n := count(), 0
			say(func() string { return fmt.Sprint(n) })
			done := make(chan int)
			go func() { close(done) }()
			<-done
			n = count() - before
		}},
		{"how many goroutines there are behind two", func(t *explore.T, say func(func() string)) {
			before, n := runtime.NumGoroutine(), 0
			say(func() string { return fmt.Sprint(n) })
			var wg sync.WaitGroup
			wg.Go(func() {})
			wg.Go(func() {})
			wg.Wait()
			n = runtime.NumGoroutine() - before
		}},
		{"whose stack is there", func(t *explore.T, say func(func() string)) {
			n := 0
			say(func() string { return fmt.Sprint(n) })
			done := make(chan int)
			go func() { done <- 1; runtime.Goexit() }()
			<-done
			buf := make([]byte, 1<<16)
			n = strings.Count(string(buf[:runtime.Stack(buf, true)]), "programs.Observers.func") // two frames are of the goroutine that looks: its own, and its caller's
		}},
		{"how many goroutines there are", func(t *explore.T, say func(func() string)) {
			before := runtime.NumGoroutine()
			Side(t, say, func() string { return fmt.Sprint(runtime.NumGoroutine() - before) }, func() string { return "" })
		}},
		{"how many goroutines others start", func(t *explore.T, say func(func() string)) {
			before := runtime.NumGoroutine()
			Side(t, say, func() string { return fmt.Sprint(runtime.NumGoroutine() - before) }, func() string {
				done := make(chan bool)
				go func() { close(done) }()
				<-done
				return ""
			})
		}},
		{"a logger that is set", func(t *explore.T, say func(func() string)) {
			var before, after bytes.Buffer
			l := log.New(&before, "old ", 0)
			Side(t, say, func() string { l.Print("line"); return "" }, func() string { l.SetPrefix("new "); l.SetOutput(&after); return "" })
			say(func() string { return fmt.Sprintf("%q %q", before.String(), after.String()) })
		}},
		{"a level that is set", func(t *explore.T, say func(func() string)) {
			var level slog.LevelVar
			var out bytes.Buffer
			l := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: &level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key != slog.MessageKey {
					return slog.Attr{}
				}
				return a
			}}))
			Side(t, say, func() string { l.Info("told"); return "" }, func() string { level.Set(slog.LevelWarn); l.Warn("set"); return "" })
			say(func() string { return strings.ReplaceAll(out.String(), "\n", ";") })
		}},
		{"whose cause", func(t *explore.T, say func(func() string)) {
			ctx, cancel := context.WithCancelCause(context.Background())
			Side(t, say, func() string { cancel(errors.New("a")); return context.Cause(ctx).Error() }, func() string { cancel(errors.New("b")); return context.Cause(ctx).Error() })
		}},
		{"who runs what is run once", func(t *explore.T, say func(func() string)) {
			var who string
			var once sync.Once
			do := func(name string) func() string {
				return func() string { once.Do(func() { who = name }); return who }
			}
			Side(t, say, do("a"), do("b"))
		}},
		{"a map that is gone through", func(t *explore.T, say func(func() string)) {
			var m sync.Map
			m.Store("x", 1)
			Side(t, say, func() string {
				n := 0
				m.Range(func(_, _ any) bool { n++; return true })
				return fmt.Sprint(n)
			}, func() string { m.Delete("x"); return "" })
		}},
		{"who is signalled", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			c := sync.NewCond(&mu)
			waits := 0
			wait := func() string {
				mu.Lock()
				defer mu.Unlock()
				if waits++; waits == 2 {
					c.Signal()
					return "signals"
				}
				c.Wait()
				return "is signalled"
			}
			Side(t, say, wait, wait)
		}},
		{"a select that waits to send and to receive", func(_ *explore.T, say func(func() string)) {
			c := make(chan int)
			var got atomic.Int32
			say(func() string { return fmt.Sprint(got.Load()) })
			go func() {
				select {
				case c <- 1:
					got.Store(1)
				case v := <-c:
					got.Store(int32(v))
				}
			}()
			time.Sleep(time.Second) // until it waits
			go func() { c <- 2 }()
			go func() { <-c }()
			time.Sleep(time.Second)
			if got.Load() == 1 {
				<-c
			} else {
				c <- 3
			}
		}},
		{"a select of very many that waits", func(_ *explore.T, say func(func() string)) {
			cases := make([]reflect.SelectCase, 20)
			for i := range cases {
				cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(make(chan int))}
			}
			var got atomic.Int32
			say(func() string { return fmt.Sprint(got.Load()) })
			go func() { i, _, _ := reflect.Select(cases); got.Store(int32(i)) }()
			time.Sleep(time.Second) // until it waits
			for i := range 2 {
				go func() { cases[i].Chan.Send(reflect.ValueOf(1)) }()
			}
			time.Sleep(time.Second)
			cases[1-got.Load()].Chan.Recv()
		}},
		{"two that compare their numbers", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup
			var mu sync.Mutex
			var all []int
			say(func() string { return fmt.Sprint(slices.IsSorted(all)) })
			for range 2 {
				wg.Go(func() {
					n := 0
					buf := make([]byte, 64)
					_, _ = fmt.Sscanf(string(buf[:runtime.Stack(buf, false)]), "goroutine %d", &n)
					mu.Lock()
					all = append(all, n)
					mu.Unlock()
				})
			}
			wg.Wait()
		}},
	}
}
