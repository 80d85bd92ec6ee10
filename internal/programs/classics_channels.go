package programs

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

func channels() []Classic {
	return []Classic{
		classic("double close", explore.KindPanic,
			"two goroutines see a channel open and both close it",
			"a sync.Once closes it",
			func(t *explore.T) {
				done := make(chan struct{})
				stopTwice(t, done, func() {
					select {
					case <-done:
					default:
						close(done)
					}
				})
			},
			func(t *explore.T) {
				done := make(chan struct{})
				stopTwice(t, done, sync.OnceFunc(func() { close(done) }))
			}),
		classic("send on a closed channel at shutdown", explore.KindRace,
			"the queue is closed between a sender's look at the flag and its send",
			"nothing is closed but a channel that says so, which senders select on",
			func(t *explore.T) {
				jobs := make(chan int, 1)
				var closed atomic.Bool
				shutDown(t,
					func() {
						if !closed.Load() {
							jobs <- 1
						}
					},
					func() {
						closed.Store(true)
						close(jobs)
					})
			},
			func(t *explore.T) {
				jobs, done := make(chan int, 1), make(chan struct{})
				shutDown(t,
					func() {
						select {
						case <-done:
						case jobs <- 1:
						}
					},
					func() { close(done) })
			}),
		classic("select that drops a value", explore.KindCheck,
			"a select between work and the end takes the end though there is work left",
			"at the end the channel is emptied",
			func(t *explore.T) {
				sumUp(t, func(work <-chan int, end <-chan struct{}) (sum int) {
					for {
						select {
						case n := <-work:
							sum += n
						case <-end:
							return sum
						}
					}
				})
			},
			func(t *explore.T) {
				sumUp(t, func(work <-chan int, end <-chan struct{}) (sum int) {
					for {
						select {
						case n := <-work:
							sum += n
						case <-end:
							for range len(work) {
								sum += <-work
							}
							return sum
						}
					}
				})
			}),
		classic("last producer closes", explore.KindPanic,
			"both producers count themselves out before either looks whether it was the last",
			"who was the last is what the atomic addition returns",
			func(t *explore.T) {
				produce(t, func(live *atomic.Int32) bool { live.Add(-1); return live.Load() == 0 })
			},
			func(t *explore.T) {
				produce(t, func(live *atomic.Int32) bool { return live.Add(-1) == 0 })
			}),
		classic("hedged request", explore.KindLeak,
			"the slower of two answers has no receiver, so its sender never ends",
			"the channel has room for every answer",
			func(t *explore.T) { hedge(t, make(chan string)) },
			func(t *explore.T) { hedge(t, make(chan string, 2)) }),
	}
}

func stopTwice(t *explore.T, done <-chan struct{}, stop func()) {
	t.Go("stops", stop)
	t.Go("stops, too", stop)
	<-done
	t.Wait()
}

func shutDown(t *explore.T, submit, stop func()) {
	t.Go("submits", submit)
	t.Go("shuts down", stop)
	t.Wait()
}

func sumUp(t *explore.T, add func(work <-chan int, end <-chan struct{}) int) {
	work, end := make(chan int, 2), make(chan struct{})
	sum := 0
	t.Go("adds up", func() { sum = add(work, end) })
	work <- 1
	work <- 2
	close(end)
	t.Wait()
	if sum != 3 {
		t.Errorf("the sum is %d, want 3", sum)
	}
}

func produce(t *explore.T, last func(live *atomic.Int32) bool) {
	items := make(chan int, 2)
	var live atomic.Int32
	live.Store(2)
	for i, name := range []string{"producer one", "producer two"} {
		t.Go(name, func() {
			items <- i
			if last(&live) {
				close(items)
			}
		})
	}
	n := 0
	for range items {
		n++
	}
	t.Wait()
	if n != 2 {
		t.Errorf("got %d items, want 2", n)
	}
}

// hedge asks two servers and takes the first answer.
func hedge(t *explore.T, answers chan string) {
	for _, server := range []string{"near", "far"} {
		go func() { answers <- server }()
	}
	if <-answers == "" {
		t.Errorf("got no answer")
	}
}
