package finals

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

func ofChannels() []Final {
	return []Final{
		{"producer and consumer", func(t *explore.T, say func(func() string)) {
			c := make(chan int)
			var l trail
			say(l.String)
			t.Go("producer", func() { c <- 1; c <- 2; close(c) })
			t.Go("consumer", func() {
				for v := range c {
					l.text = append(l.text, fmt.Sprint(v))
				}
			})
			t.Wait()
		}},
		{"two producers", func(t *explore.T, say func(func() string)) {
			c := make(chan int, 1)
			var l trail
			say(l.String)
			for i := range 2 {
				t.Go(fmt.Sprint("producer ", i), func() { c <- i })
			}
			t.Go("consumer", func() { l.text = append(l.text, fmt.Sprint(<-c, <-c)) })
			t.Wait()
		}},
		{"two consumers", func(t *explore.T, say func(func() string)) {
			c := make(chan int)
			var got [2]int
			say(func() string { return fmt.Sprint(got) })
			for i := range got {
				t.Go(fmt.Sprint("consumer ", i), func() { got[i] = <-c })
			}
			c <- 1
			c <- 2
			t.Wait()
		}},
		{"select of two", func(t *explore.T, say func(func() string)) {
			a, b := make(chan int, 1), make(chan int, 1)
			var l trail
			say(l.String)
			t.Go("a", func() { a <- 1 })
			t.Go("b", func() { b <- 2 })
			t.Go("selects", func() {
				for range 2 {
					select {
					case v := <-a:
						l.text = append(l.text, fmt.Sprint(v))
					case v := <-b:
						l.text = append(l.text, fmt.Sprint(v))
					}
				}
			})
			t.Wait()
		}},
		{"select of two that come at once", func(t *explore.T, say func(func() string)) {
			// The select has blocked by the time that either value is sent.
			a, b := make(chan int, 1), make(chan int, 1)
			got := 0
			say(func() string { return fmt.Sprint(got) })
			t.Go("a", func() { time.Sleep(time.Nanosecond); a <- 1 })
			t.Go("b", func() { time.Sleep(time.Nanosecond); b <- 2 })
			select {
			case got = <-a:
			case got = <-b:
			}
			t.Wait()
		}},
		{"select of five that are all ready", func(t *explore.T, say func(func() string)) {
			var c [5]chan int
			for i := range c {
				c[i] = make(chan int, 1)
				c[i] <- i
			}
			got := 0
			say(func() string { return fmt.Sprint(got) })
			t.Go("other", func() { <-c[4] })
			select {
			case got = <-c[0]:
			case got = <-c[1]:
			case got = <-c[2]:
			case got = <-c[3]:
			case got = <-c[4]:
				c[4] <- 1
			}
			t.Wait()
		}},
		{"select or go on", func(t *explore.T, say func(func() string)) {
			c := make(chan int, 1)
			got := ""
			say(func() string { return got })
			t.Go("sends", func() {
				select {
				case c <- 1:
					got += "sent "
				default:
					got += "full "
				}
			})
			c <- 2
			<-c
			t.Wait()
		}},
		{"close and receive", func(t *explore.T, say func(func() string)) {
			c := make(chan int, 1)
			var ok bool
			say(func() string { return fmt.Sprint(ok) })
			t.Go("closes", func() { close(c) })
			t.Go("sends", func() {
				defer func() { _ = recover() }()
				c <- 1
			})
			_, ok = <-c
			t.Wait()
		}},
		{"channel as a lock", func(t *explore.T, say func(func() string)) {
			c := make(chan struct{}, 1)
			var l trail
			say(l.String)
			for i := range 2 {
				t.Go(fmt.Sprint("adder ", i), func() {
					c <- struct{}{}
					l.text = append(l.text, fmt.Sprint(i))
					<-c
				})
			}
			t.Wait()
		}},
	}
}

func ofTheRest() []Final {
	return []Final{
		{"goroutines of goroutines", func(t *explore.T, say func(func() string)) {
			var l trail
			var w sync.WaitGroup
			say(l.String)
			w.Add(1)
			go func() {
				go func() { l.add("inner"); w.Done() }()
				l.add("outer")
			}()
			w.Wait()
		}},
		{"map in random order", func(t *explore.T, say func(func() string)) {
			var l [2]trail
			say(func() string { return l[0].String() + ", " + l[1].String() })
			for i := range 2 {
				go func() { // not by T.Go, so that the order in which they start is free
					go func() {
						for k := range map[string]int{"a": 1, "b": 2, "c": 3, "d": 4} {
							l[i].text = append(l[i].text, k)
						}
					}()
				}()
			}
		}},
		{"who is first to load or store", func(t *explore.T, say func(func() string)) {
			var m sync.Map
			var got [2]any
			say(func() string { return fmt.Sprint(got) })
			m.Store("k", 2)
			t.Go("other", func() { got[0], _ = m.LoadOrStore("k", 0) })
			m.Delete("k")
			got[1], _ = m.Load("k")
			t.Wait()
		}},
		{"history", func(t *explore.T, say func(func() string)) {
			// The calls share no operation: only their order matters.
			var fresh, stale atomic.Int32
			h := explore.NewHistory(t, register)
			say(func() string { return "" })
			t.Go("writes", func() {
				h.Do(7, func(v int) int { fresh.Store(int32(v)); return v })
			})
			t.Go("reads", func() {
				h.Do(0, func(int) int { return int(stale.Load()) })
			})
			t.Wait()
			h.Check()
		}},
		{"joined and not joined", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			seen := int32(0)
			say(func() string { return fmt.Sprint(seen, x.Load()) })
			go func() { x.Add(1) }()
			t.Go("joined", func() { x.Add(2) })
			t.Wait()
			seen = x.Load()
		}},
		{"store or look, then store", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			say(func() string { return fmt.Sprint(x.Load()) })
			t.Go("one", func() { x.Store(1) })
			t.Go("two", func() {
				if x.Load() == 0 {
					x.Store(2)
				}
			})
			t.Wait()
		}},
	}
}

// register models a variable; a call with 0 reads it.
var register = explore.Model[int, int, int]{
	Step: func(state, in int) (int, int) {
		if in == 0 {
			return state, state
		}
		return in, in
	},
}
