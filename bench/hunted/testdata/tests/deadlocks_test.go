package hunted

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A ledger takes a second lock only where an account is short of money.
type ledger struct {
	account, reserve sync.Mutex
	balance, kept    int
}

func (l *ledger) pay(n int) {
	l.account.Lock()
	defer l.account.Unlock()
	if l.balance < n {
		l.reserve.Lock()
		l.kept -= n
		l.balance += n
		l.reserve.Unlock()
	}
	l.balance -= n
}

func (l *ledger) save(n int) {
	l.reserve.Lock()
	defer l.reserve.Unlock()
	l.kept += n
	if l.kept > 24 {
		l.account.Lock()
		l.balance += n
		l.account.Unlock()
	}
}

func TestLedger(t *testing.T) {
	l := &ledger{balance: 10}
	var wg sync.WaitGroup
	wg.Go(func() { l.pay(5); l.pay(5); l.pay(5); l.pay(1) })
	wg.Go(func() { l.save(10); l.save(5); l.save(10) })
	busy(&wg)
	wg.Wait()
}

func TestPhilosophers(t *testing.T) {
	var forks [5]sync.Mutex
	var wg sync.WaitGroup
	eat := func(left, right *sync.Mutex) {
		left.Lock()
		right.Lock()
		right.Unlock()
		left.Unlock()
	}
	for i := range forks {
		wg.Go(func() { eat(&forks[i], &forks[(i+1)%len(forks)]) })
	}
	busy(&wg)
	wg.Wait()
}

// An index is read by who reads it already.
type index struct {
	mu    sync.RWMutex
	words map[string]int
}

func (x *index) count(word string) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.words[word]
}

func (x *index) both(a, b string) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.words[a] + x.count(b)
}

func (x *index) add(word string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.words[word]++
}

func TestIndex(t *testing.T) {
	x := &index{words: map[string]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { x.count("a"); x.count("b") })
	}
	wg.Go(func() { x.count("a"); x.both("a", "b") })
	wg.Go(func() { x.add("a") })
	busy(&wg)
	wg.Wait()
}

// A gate is opened without the lock of those who wait for it.
type gate struct {
	mu      sync.Mutex
	changed *sync.Cond
	open    atomic.Bool
	keys    atomic.Int32
}

func (g *gate) pass() {
	if g.open.Load() {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.open.Load() {
		g.changed.Wait()
	}
}

func (g *gate) unlock(key int32) {
	if g.keys.Add(key) != 2 {
		g.open.Store(true)
		g.changed.Broadcast()
	}
}

func TestGate(t *testing.T) {
	g := &gate{}
	g.changed = sync.NewCond(&g.mu)
	var wg sync.WaitGroup
	wg.Go(g.pass)
	wg.Go(func() { g.pass(); g.unlock(2) })
	wg.Go(func() { g.unlock(1) })
	busy(&wg)
	wg.Wait()
}

// A slot has one condition for those who fill it and those who empty it.
type slot struct {
	mu      sync.Mutex
	changed *sync.Cond
	item    int
}

func (s *slot) put(item int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.item != 0 {
		s.changed.Wait()
	}
	s.item = item
	s.changed.Signal()
}

func (s *slot) get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.item == 0 {
		s.changed.Wait()
	}
	item := s.item
	s.item = 0
	s.changed.Signal()
	return item
}

func TestSlot(t *testing.T) {
	s := &slot{}
	s.changed = sync.NewCond(&s.mu)
	var wg sync.WaitGroup
	wg.Go(func() { s.put(1); s.put(2) })
	wg.Go(func() { s.get() })
	wg.Go(func() { s.get() })
	busy(&wg)
	wg.Wait()
}

// A hub tells its listeners with its lock held, and they ask it something in return.
type hub struct {
	mu        sync.Mutex
	listeners []chan int
	count     int
}

func (h *hub) tell(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count++
	for _, l := range h.listeners {
		l <- n
	}
}

func (h *hub) size() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count
}

func TestHub(t *testing.T) {
	h := &hub{listeners: []chan int{make(chan int, 2)}}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { h.tell(i) })
	}
	wg.Go(func() {
		for range 4 {
			if <-h.listeners[0] == 2 {
				h.size()
			}
		}
	})
	busy(&wg)
	wg.Wait()
}

// A mailbox wakes who waits for a letter, if somebody does.
type mailbox struct {
	mu      sync.Mutex
	letters int
	wake    chan struct{}
}

func (m *mailbox) send() {
	m.mu.Lock()
	m.letters++
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *mailbox) take() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.letters == 0 {
		return false
	}
	m.letters--
	return true
}

func (m *mailbox) receive() {
	for !m.take() {
		<-m.wake
	}
}

func TestMailbox(t *testing.T) {
	m := &mailbox{wake: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(m.send)
	wg.Go(m.receive)
	wg.Go(func() { m.take(); m.send() })
	busy(&wg)
	wg.Wait()
}

// A batch waits for its jobs with the lock that a job takes which fails.
type batch struct {
	mu     sync.Mutex
	jobs   sync.WaitGroup
	failed int
	quota  atomic.Int32
}

func (b *batch) run() {
	defer b.jobs.Done()
	if b.quota.Add(-1) < 0 {
		b.mu.Lock()
		b.failed++
		b.mu.Unlock()
	}
	b.quota.Add(1)
}

func (b *batch) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs.Wait()
}

func TestBatch(t *testing.T) {
	b := &batch{}
	b.quota.Store(2)
	b.jobs.Add(3)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(b.run)
	}
	wg.Go(b.wait)
	busy(&wg)
	wg.Wait()
}

// A document is written by who reads it, if he finds it out of date.
type document struct {
	mu      sync.RWMutex
	edit    sync.Mutex
	version int
}

func (d *document) refresh(version int) {
	d.mu.RLock()
	if d.version < version {
		d.edit.Lock()
		d.version++
		d.edit.Unlock()
	}
	d.mu.RUnlock()
}

func (d *document) publish() {
	d.edit.Lock()
	if d.version > 1 {
		d.mu.Lock()
		d.version++
		d.mu.Unlock()
	}
	d.edit.Unlock()
}

func TestDocument(t *testing.T) {
	var d document
	var wg sync.WaitGroup
	wg.Go(func() { d.refresh(1); d.refresh(2); d.refresh(3) })
	wg.Go(func() { d.publish(); d.publish() })
	busy(&wg)
	wg.Wait()
}

// Slots are taken one by one, by those who need two.
func TestSlots(t *testing.T) {
	slots := make(chan struct{}, 3)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				slots <- struct{}{}
				slots <- struct{}{}
				<-slots
				<-slots
			}
		})
	}
	busy(&wg)
	wg.Wait()
}

// Accounts are locked in the order of the transfer.
func TestTransfers(t *testing.T) {
	var locks [4]sync.Mutex
	var wg sync.WaitGroup
	for i := range locks {
		wg.Go(func() {
			for _, to := range []int{(i + 1) % 4, i} {
				if from := i; from != to {
					locks[from].Lock()
					locks[to].Lock()
					locks[to].Unlock()
					locks[from].Unlock()
				}
			}
		})
	}
	busy(&wg)
	wg.Wait()
}
