package finals

import (
	"fmt"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// InBubbles returns more programs like those of [All]: most of their goroutines are in
// bubbles of testing/synctest.
func InBubbles() []Final {
	return []Final{
		{"Wait for two", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			seen := int32(0)
			say(func() string { return fmt.Sprint(seen, x.Load()) })
			programs.Bubble(func() {
				for i := range int32(2) {
					go func() { x.Store(x.Load()*3 + i) }()
				}
				synctest.Wait()
				seen = x.Load()
			})
		}},
		{"Wait beside one outside", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			var seen [2]int32
			say(func() string { return fmt.Sprint(seen, x.Load()) })
			t.Go("outside", func() { x.Add(10) })
			programs.Bubble(func() {
				go func() { x.Add(1) }()
				seen[0] = x.Load()
				synctest.Wait()
				seen[1] = x.Load()
			})
			t.Wait()
		}},
		{"sleep beside one outside", func(t *explore.T, say func(func() string)) {
			var l trail
			say(l.String)
			t.Go("outside", func() { l.add("out") })
			programs.Bubble(func() {
				for i := range 2 {
					go func() { time.Sleep(time.Duration(1+i) * time.Second); l.add(fmt.Sprint(i)) }()
				}
				time.Sleep(time.Minute)
			})
			t.Wait()
		}},
		{"timers of one time", func(t *explore.T, say func(func() string)) {
			var l trail
			say(l.String)
			programs.Bubble(func() {
				l.add("begin")
				time.AfterFunc(time.Second, func() { l.add("a") })
				time.AfterFunc(time.Second, func() { l.add("b") })
				time.Sleep(time.Second)
				l.add("c")
				time.Sleep(time.Second)
				l.add("d")
			})
		}},
		{"two bubbles", func(t *explore.T, say func(func() string)) {
			var x atomic.Int32
			say(func() string { return fmt.Sprint(x.Load()) })
			for i := range int32(2) {
				t.Go(fmt.Sprint("root ", i), func() {
					programs.Bubble(func() {
						time.Sleep(time.Duration(1+i) * time.Hour)
						x.Store(x.Load()*2 + 1)
					})
				})
			}
			t.Wait()
		}},
	}
}
