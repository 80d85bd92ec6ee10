package programs

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jacquard-go/jacquard/explore"
)

func lifetimes() []Classic {
	return []Classic{
		classic("errgroup with a forgotten cancel", explore.KindDeadlock,
			"a group without a context: when one function fails, nobody tells the other, which waits for it",
			"the group has a context, and the other waits for that too",
			func(t *explore.T) { forward(t, new(errgroup.Group), t.Context()) },
			func(t *explore.T) {
				group, ctx := errgroup.WithContext(t.Context())
				forward(t, group, ctx)
			}),
		classic("context leak", explore.KindLeak,
			"a session that opens after the shutdown has a context that nobody cancels any more",
			"no session opens after the shutdown",
			func(t *explore.T) { openAndShutDown(t, (*sessions).openAnyway) },
			func(t *explore.T) { openAndShutDown(t, (*sessions).open) }),
		classic("WaitGroup.Add after Wait", explore.KindRace,
			"each worker adds itself to the group, perhaps after the wait",
			"it is added before it starts",
			func(t *explore.T) {
				var s summer
				go s.workUncounted(1)
				go s.workUncounted(2)
				s.check(t)
			},
			func(t *explore.T) {
				var s summer
				s.wg.Add(2)
				go s.work(1)
				go s.work(2)
				s.check(t)
			}),
		classic("Once that panics", explore.KindCheck,
			"a Once whose function panicked counts as done, so the next caller gets nothing",
			"sync.OnceValue panics for every caller",
			func(t *explore.T) {
				var once sync.Once
				var c *connection
				connect(t, func(dial func() *connection) func() *connection {
					return func() *connection {
						once.Do(func() { c = dial() })
						return c
					}
				})
			},
			func(t *explore.T) {
				connect(t, func(dial func() *connection) func() *connection { return sync.OnceValue(dial) })
			}),
		classic("ticker leak", explore.KindLeak,
			"a goroutine ranges over a ticker's channel, which Stop does not close",
			"it is told to end by a channel of its own",
			func(t *explore.T) {
				poll(t, func(tick <-chan time.Time, end <-chan struct{}, poll func()) {
					for range tick {
						poll()
					}
				})
			},
			func(t *explore.T) {
				poll(t, func(tick <-chan time.Time, end <-chan struct{}, poll func()) {
					for {
						select {
						case <-tick:
							poll()
						case <-end:
							return
						}
					}
				})
			}),
		classic("timer that fires late", explore.KindCheck,
			"a lease is renewed when its timer has fired already, and then expires at once",
			"what the timer calls looks whether the time is up",
			func(t *explore.T) { renew(t, func(*lease) bool { return true }) },
			func(t *explore.T) { renew(t, func(l *lease) bool { return !time.Now().Before(l.until) }) }),
	}
}

var errRevoked = errors.New("the licence is revoked")

// forward has one function of a group send the value that the other one waits for.
func forward(t *explore.T, group *errgroup.Group, ctx context.Context) {
	var revoked atomic.Bool
	made := make(chan int, 1)
	t.Go("revokes", func() { revoked.Store(true) })
	group.Go(func() error {
		if revoked.Load() {
			return errRevoked
		}
		made <- 1
		return nil
	})
	group.Go(func() error {
		select {
		case <-made:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err := group.Wait(); err != nil && !errors.Is(err, errRevoked) {
		t.Errorf("got %v, want %v or no error", err, errRevoked)
	}
	t.Wait()
}

type sessions struct {
	mu      sync.Mutex
	closed  bool
	cancels []context.CancelFunc
}

func (s *sessions) open(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.watch(ctx)
	}
}

func (s *sessions) openAnyway(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch(ctx)
}

// watch must be called under the lock.
func (s *sessions) watch(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	s.cancels = append(s.cancels, cancel)
	go func() { <-ctx.Done() }()
}

func (s *sessions) shutDown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, cancel := range s.cancels {
		cancel()
	}
}

func openAndShutDown(t *explore.T, open func(*sessions, context.Context)) {
	var s sessions
	t.Go("opens", func() { open(&s, t.Context()) })
	t.Go("shuts down", s.shutDown)
	t.Wait()
}

type summer struct {
	wg  sync.WaitGroup
	mu  sync.Mutex
	sum int
}

func (s *summer) workUncounted(n int) {
	s.wg.Add(1)
	s.work(n)
}

func (s *summer) work(n int) {
	defer s.wg.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum += n
}

func (s *summer) check(t *explore.T) {
	s.wg.Wait()
	if s.sum != 3 {
		t.Errorf("the sum is %d, want 3", s.sum)
	}
}

type connection struct{}

// connect has two requests share a connection. The network may come up before,
// between or after them.
func connect(t *explore.T, share func(dial func() *connection) (get func() *connection)) {
	var up atomic.Bool
	get := share(func() *connection {
		if !up.Load() {
			panic("the network is down")
		}
		return new(connection)
	})
	request := func() {
		defer func() { _ = recover() }() // as a server would
		if get() == nil {
			t.Errorf("a request got neither a connection nor an error")
		}
	}
	t.Go("request one", request)
	t.Go("request two", request)
	t.Go("network", func() { up.Store(true) })
	t.Wait()
}

func poll(t *explore.T, loop func(tick <-chan time.Time, end <-chan struct{}, poll func())) {
	tick := time.NewTicker(time.Second)
	end := make(chan struct{})
	var polls atomic.Int32
	go loop(tick.C, end, func() { polls.Add(1) })
	time.Sleep(2500 * time.Millisecond)
	tick.Stop()
	close(end)
	if polls.Load() != 2 {
		t.Errorf("polled %d times, want 2", polls.Load())
	}
}

// A lease expires unless it is renewed in time.
type lease struct {
	mu      sync.Mutex
	timer   *time.Timer
	until   time.Time
	expired bool
}

const leaseTime = time.Minute

func newLease(due func(*lease) bool) *lease {
	l := &lease{until: time.Now().Add(leaseTime)}
	l.timer = time.AfterFunc(leaseTime, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if due(l) {
			l.expired = true
		}
	})
	return l
}

func (l *lease) renew() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.expired {
		return false
	}
	l.until = time.Now().Add(leaseTime)
	l.timer.Reset(leaseTime)
	return true
}

func (l *lease) held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.expired
}

// renew renews a lease at the moment at which it expires.
func renew(t *explore.T, due func(*lease) bool) {
	l := newLease(due)
	time.Sleep(leaseTime)
	if l.renew() && !l.held() {
		t.Errorf("a lease just renewed has expired")
	}
	l.timer.Stop()
}
