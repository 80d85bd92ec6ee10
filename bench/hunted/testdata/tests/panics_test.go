package hunted

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A pool is closed when nobody submits, but one who has been let in may not be counted yet.
type pool struct {
	jobs    chan int
	closing atomic.Bool
	closed  atomic.Bool
	inside  atomic.Int32
}

func (p *pool) submit(job int) {
	if p.closing.Load() {
		return
	}
	p.inside.Add(1)
	if p.closed.Load() {
		panic("a job for a pool that is closed")
	}
	p.jobs <- job
	p.inside.Add(-1)
}

func (p *pool) close() {
	p.closing.Store(true)
	if p.inside.Load() == 0 {
		p.closed.Store(true)
	}
}

func TestPoolClose(t *testing.T) {
	p := &pool{jobs: make(chan int, 8)}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			p.submit(i)
			p.submit(i)
		})
	}
	wg.Go(p.close)
	busy(&wg)
	wg.Wait()
}

// A task is counted down by whoever ends it, be it who runs it or who cancels it.
type task struct {
	ended atomic.Bool
	wg    *sync.WaitGroup
}

func (k *task) run() {
	if !k.ended.Load() {
		k.end()
	}
}

func (k *task) cancel() {
	if !k.ended.Load() {
		k.end()
	}
}

func (k *task) end() {
	k.ended.Store(true)
	k.wg.Done()
}

func TestEndsOnce(t *testing.T) {
	var wg, tasks sync.WaitGroup
	tasks.Add(1)
	for i := range 3 {
		if i > 0 {
			tasks.Add(1)
		}
		k := &task{wg: &tasks}
		wg.Go(k.run)
		if i == 1 {
			wg.Go(k.cancel)
		}
	}
	busy(&wg)
	tasks.Wait()
	wg.Wait()
}

// A stack says how many items it has before its lock is taken.
type stack struct {
	mu    sync.Mutex
	n     atomic.Int32
	items []int
}

func (s *stack) push(item int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, item)
	s.n.Add(1)
}

func (s *stack) pop() int {
	if s.n.Load() == 0 {
		return -1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	item := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	s.n.Add(-1)
	return item
}

func TestStackPop(t *testing.T) {
	var s stack
	s.push(0)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			s.push(i)
			s.pop()
			s.push(i)
			s.pop()
		})
	}
	wg.Go(func() { s.pop(); s.pop() })
	busy(&wg)
	wg.Wait()
}

// A client dials if it has no connection, and drops one that is broken.
type conn struct{ sent atomic.Int32 }

type client struct {
	mu   sync.Mutex
	conn *conn
}

func (c *client) connected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn != nil
}

func (c *client) dial() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		c.conn = new(conn)
	}
}

func (c *client) get() *conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}

func (c *client) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = nil
}

func (c *client) send() {
	if !c.connected() {
		c.dial()
	}
	to := c.get()
	if to == nil { // dropped at once: try again
		c.dial()
		to = c.get()
	}
	to.sent.Add(1)
}

func TestDropped(t *testing.T) {
	var c client
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { c.send(); c.send() })
	}
	wg.Go(func() { c.drop(); c.drop() })
	busy(&wg)
	wg.Wait()
}

// A registry has no map any more once it is closed.
type registry struct {
	mu     sync.Mutex
	closed atomic.Bool
	names  map[string]int
}

func (r *registry) register(name string, n int) {
	if r.closed.Load() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[name] += n
}

func (r *registry) close() {
	r.closed.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.names) > 1 {
		r.names = nil
	}
}

func TestRegistry(t *testing.T) {
	r := &registry{names: map[string]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i, name := range []string{"a", "b", "c"} {
				r.register(name, i)
			}
		})
	}
	wg.Go(r.close)
	busy(&wg)
	wg.Wait()
}

// A once lets those who find something not done share a lock, which the last one drops.
type once struct {
	done    atomic.Bool
	waiters atomic.Int32
	shared  atomic.Pointer[sync.Mutex]
}

func (o *once) do() {
	if o.done.Load() {
		return
	}
	o.waiters.Add(1)
	o.shared.CompareAndSwap(nil, new(sync.Mutex))
	mine := o.shared.Load()
	mine.Lock()
	o.done.Store(true)
	mine.Unlock()
	if o.waiters.Add(-1) == 0 {
		o.shared.Store(nil)
	}
}

func TestOnceOnly(t *testing.T) {
	var o once
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(o.do)
	}
	busy(&wg)
	wg.Wait()
}

// A page is shown of a list, which is asked for its length and then for its lines.
type list struct {
	mu    sync.Mutex
	lines []string
}

func (l *list) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lines)
}

func (l *list) line(i int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[i]
}

func (l *list) keep(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) > n {
		l.lines = l.lines[:n]
	}
}

func (l *list) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

func (l *list) last() string {
	if n := l.size(); n > 3 {
		return l.line(n - 1)
	}
	return ""
}

func TestPage(t *testing.T) {
	var l list
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { l.add("a"); l.last(); l.add("b"); l.last() })
	}
	wg.Go(func() { l.keep(3); l.keep(3) })
	busy(&wg)
	wg.Wait()
}

// A session is ended by who finds it idle, and may have been taken up again by then.
type session struct {
	users, epoch atomic.Int32
	data         atomic.Pointer[[]int]
}

func (s *session) use() {
	if s.users.Add(1) == 1 && s.data.Load() == nil {
		s.data.Store(&[]int{1})
	}
	n := s.epoch.Load()
	if data := *s.data.Load(); len(data) > 0 {
		s.epoch.CompareAndSwap(n, n+1)
	}
	s.users.Add(-1)
}

func (s *session) end() {
	if s.users.Load() == 0 && s.epoch.Load() > 1 {
		s.data.Store(nil)
	}
}

func TestSession(t *testing.T) {
	var s session
	s.data.Store(&[]int{1})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { s.use(); s.use() })
	}
	wg.Go(func() { s.end(); s.end() })
	busy(&wg)
	wg.Wait()
}
