package tests

import (
	"sync"
	"testing"
	"time"
)

// A beat for the whole process, as in an event bus or a cached clock: a goroutine that the first
// caller starts wakes all that wait, again and again.
type beat struct {
	once sync.Once
	mu   sync.Mutex
	cond *sync.Cond
}

func (b *beat) start() {
	b.once.Do(func() {
		b.cond = sync.NewCond(&b.mu)
		go func() {
			for range time.NewTicker(time.Millisecond).C {
				b.cond.Broadcast()
			}
		}()
	})
}

// meet lets one goroutine post news, which the other one sees when the beat comes.
func (b *beat) meet(post int) {
	b.start()
	news := false
	pair(func(i int) {
		if i == post {
			b.mu.Lock()
			news = true
			b.mu.Unlock()
			return
		}
		b.mu.Lock()
		for !news {
			b.cond.Wait()
		}
		b.mu.Unlock()
	})
}

var beats [2]beat

// TestPostsFirst and TestAwaitsBeat never fail. In the default schedule only the second waits.
func TestPostsFirst(t *testing.T) { beats[0].meet(0) }

func TestAwaitsBeat(t *testing.T) { beats[1].meet(1) }

var beating = sync.OnceValue(func() <-chan int {
	c := make(chan int)
	go func() {
		for range time.NewTicker(time.Millisecond).C {
			c <- 1
		}
	}()
	return c
})

// TestBeatsTwice never fails. It leaves its goroutine waiting, and not for a timer.
func TestBeatsTwice(t *testing.T) { pair(func(int) { <-beating() }) }
