package hunted

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A freeList is a Treiber stack of slots without versions; 0 is none.
type freeList struct {
	head atomic.Int32
	next [5]atomic.Int32
}

func (l *freeList) get() int32 {
	for {
		head := l.head.Load()
		if head == 0 {
			return 0
		}
		if l.head.CompareAndSwap(head, l.next[head].Load()) {
			return head
		}
	}
}

func (l *freeList) put(slot int32) {
	for {
		head := l.head.Load()
		l.next[slot].Store(head)
		if l.head.CompareAndSwap(head, slot) {
			return
		}
	}
}

func TestFreeList(t *testing.T) {
	var l freeList
	for i := range int32(4) {
		l.put(i + 1)
	}
	var used [5]atomic.Bool
	take := func() int32 {
		slot := l.get()
		if slot != 0 && used[slot].Swap(true) {
			t.Errorf("slot %d is in use twice", slot)
		}
		return slot
	}
	give := func(slot int32) {
		if slot != 0 {
			used[slot].Store(false)
			l.put(slot)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { take() })
	wg.Go(func() {
		slot := take()
		take()
		give(slot)
	})
	busy(&wg)
	wg.Wait()
	for range 4 {
		take()
	}
}

// A file is closed by the last who lets go of it.
type file struct {
	refs   atomic.Int32
	closed atomic.Bool
	reads  atomic.Int32
}

func (f *file) acquire() bool {
	if f.refs.Load() == 0 {
		return false
	}
	f.refs.Add(1)
	return true
}

func (f *file) release() {
	if f.refs.Add(-1) == 0 {
		f.closed.Store(true)
	}
}

func (f *file) read(t *testing.T) {
	if f.reads.Add(1); f.closed.Load() {
		t.Errorf("read a closed file")
	}
}

func TestSharedFile(t *testing.T) {
	var f file
	f.refs.Store(1)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				if f.acquire() {
					f.read(t)
					f.release()
				}
			}
		})
	}
	wg.Go(func() {
		for range 4 {
			f.read(t)
		}
		f.release()
	})
	busy(&wg)
	wg.Wait()
}

// A loader loads a key once at a time, and looks into its cache before that only.
type loader struct {
	mu      sync.Mutex
	cache   map[string]string
	flights map[string]chan struct{}
	loads   atomic.Int32
}

func (l *loader) cached(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.cache[key]
	return ok
}

func (l *loader) get(key string) {
	if l.cached(key) {
		return
	}
	l.mu.Lock()
	if flight := l.flights[key]; flight != nil {
		l.mu.Unlock()
		<-flight
		return
	}
	flight := make(chan struct{})
	l.flights[key] = flight
	l.mu.Unlock()
	l.loads.Add(1)
	l.mu.Lock()
	l.cache[key] = "value"
	delete(l.flights, key)
	l.mu.Unlock()
	close(flight)
}

func TestLoadsOnce(t *testing.T) {
	l := &loader{cache: map[string]string{}, flights: map[string]chan struct{}{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { l.get("key") })
	}
	busy(&wg)
	wg.Wait()
	if n := l.loads.Load(); n > 2 {
		t.Errorf("loaded %d times, want once or twice", n)
	}
}

// A driver is stopped when the last request is over.
type driver struct {
	pending           atomic.Int32
	stopping, stopped atomic.Bool
}

func (d *driver) done() {
	if d.pending.Add(-1) == 0 {
		d.stopped.Store(true)
	}
}

func (d *driver) serve(t *testing.T) {
	if d.stopping.Load() {
		return
	}
	d.pending.Add(1)
	if d.stopped.Load() {
		t.Error("served by a driver that was stopped")
	}
	d.done()
}

func TestStopsDriver(t *testing.T) {
	var d driver
	d.pending.Store(1)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			d.serve(t)
			d.serve(t)
		})
	}
	wg.Go(func() {
		d.stopping.Store(true)
		d.done()
	})
	busy(&wg)
	wg.Wait()
}

// A deque has a lock for thieves, and its owner reads where they are too early.
type deque struct {
	mu         sync.Mutex
	head, tail atomic.Int32
	items      [8]atomic.Int32
}

func (q *deque) push(item int32) {
	at := q.tail.Load()
	q.items[at].Store(item)
	q.tail.Store(at + 1)
}

func (q *deque) steal() int32 {
	q.mu.Lock()
	defer q.mu.Unlock()
	head := q.head.Load()
	q.head.Store(head + 1)
	if head < q.tail.Load() {
		return q.items[head].Load()
	}
	q.head.Store(head)
	return -1
}

func (q *deque) take() int32 {
	head, tail := q.head.Load(), q.tail.Load()-1
	q.tail.Store(tail)
	if head <= tail {
		return q.items[tail].Load()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.head.Load() <= tail {
		return q.items[tail].Load()
	}
	q.tail.Store(tail + 1)
	return -1
}

func TestStealsOnce(t *testing.T) {
	var q deque
	var taken [4]atomic.Int32
	took := func(item int32) {
		if item >= 0 && taken[item].Add(1) != 1 {
			t.Errorf("item %d was taken twice", item)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := int32(0); i < 4; i += 2 {
			q.push(i)
			q.push(i + 1)
			took(q.take())
		}
		took(q.take())
		took(q.take())
	})
	wg.Go(func() {
		took(q.steal())
		took(q.steal())
	})
	busy(&wg)
	wg.Wait()
}

// An account has a lock of its own, so a sum of several is of no one moment.
type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
}

func (a *account) get() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func TestAudit(t *testing.T) {
	var all [4]account
	for i := range all {
		all[i].add(100)
	}
	move := func(from, to, n int) {
		all[from].add(-n)
		all[to].add(n)
	}
	var wg sync.WaitGroup
	wg.Go(func() { move(0, 2, 10) })
	wg.Go(func() { move(1, 3, 10) })
	wg.Go(func() { move(2, 0, 10) })
	wg.Go(func() {
		sum := 0
		for i := range all {
			sum += all[i].get()
		}
		if sum > 410 {
			t.Errorf("the bank has %d, want 400", sum)
		}
	})
	busy(&wg)
	wg.Wait()
}

// Settings are read whole if their version was even and is the same afterwards; but a
// writer does not wait for another one.
type settings struct{ version, host, port atomic.Int32 }

func (s *settings) write(v int32) {
	s.version.Add(1)
	s.host.Store(v)
	s.port.Store(v)
	s.version.Add(1)
}

func (s *settings) read() (host, port int32, ok bool) {
	was := s.version.Load()
	host, port = s.host.Load(), s.port.Load()
	return host, port, was%2 == 0 && s.version.Load() == was
}

func TestSettings(t *testing.T) {
	var s settings
	var wg sync.WaitGroup
	wg.Go(func() { s.write(1) })
	wg.Go(func() { s.write(2) })
	wg.Go(func() {
		for range 3 {
			if host, port, ok := s.read(); ok && host != port && host != 0 && port != 0 {
				t.Errorf("got host %d and port %d", host, port)
			}
		}
	})
	busy(&wg)
	wg.Wait()
}

// A limiter looks whether there is room, and takes it afterwards.
type limiter struct{ running, most atomic.Int32 }

func (l *limiter) begin() bool {
	if l.running.Load() >= 1 {
		return false
	}
	n := l.running.Add(1)
	for {
		most := l.most.Load()
		if n <= most || l.most.CompareAndSwap(most, n) {
			return true
		}
	}
}

func TestLimit(t *testing.T) {
	var l limiter
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if l.begin() {
				l.running.Add(-1)
			}
		})
	}
	busy(&wg)
	wg.Wait()
	if most := l.most.Load(); most > 3 {
		t.Errorf("%d were let in at once, want 1", most)
	}
}

// A store has a cache in front of it. Who reads puts what he has read into the cache,
// be it out of date by then.
type store struct {
	mu            sync.Mutex
	values, cache map[string]int
}

func (s *store) lookUp(in map[string]int, key string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := in[key]
	return v, ok
}

func (s *store) read(key string) int {
	if v, ok := s.lookUp(s.cache, key); ok {
		return v
	}
	v, _ := s.lookUp(s.values, key)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache[key] = v
	return v
}

func (s *store) write(key string, v int) {
	s.mu.Lock()
	s.values[key] = v
	s.mu.Unlock()
	s.mu.Lock()
	delete(s.cache, key)
	s.mu.Unlock()
}

func TestStale(t *testing.T) {
	s := &store{values: map[string]int{"a": 1, "b": 1}, cache: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(func() { s.read("a"); s.read("b") })
	wg.Go(func() { s.read("b"); s.read("b") })
	wg.Go(func() { s.write("a", 2); s.write("a", 3) })
	busy(&wg)
	wg.Wait()
	if v := s.read("a"); v == 1 {
		t.Errorf("got %d from the cache, which was written over twice", v)
	}
}
