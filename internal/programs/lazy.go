package programs

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// A Lazy is a program with state of the whole process: the first execution creates it,
// and all later ones use it.
type Lazy struct {
	Name string
	Run  func(*explore.T)
}

type link struct{ open atomic.Int32 }

// both runs f in two goroutines.
func both(f func()) func(*explore.T) {
	return func(t *explore.T) {
		t.Go("a", f)
		t.Go("b", f)
		t.Wait()
	}
}

var lazy struct {
	pointer atomic.Pointer[link]
	once    sync.Once
	value   func() *link
	values  func() (*link, error)
	all     sync.Map
	mu      sync.Mutex
	cache   map[string]*link
	flagMu  sync.Mutex
	flag    bool
	started atomic.Bool
	made    chan bool
	makes   sync.Mutex
	count   atomic.Int32
	swapped atomic.Value
	list    []int
	listMu  sync.RWMutex
}

func init() {
	lazy.value = sync.OnceValue(func() *link { return new(link) })
	lazy.values = sync.OnceValues(func() (*link, error) { return new(link), nil })
}

// Lazies returns programs that create state when it is first needed.
func Lazies() []Lazy {
	made := func(c *link) { c.open.Add(1) }
	return []Lazy{
		{"a pointer", both(func() {
			if lazy.pointer.Load() == nil {
				lazy.pointer.Store(new(link))
			}
		})},
		{"Once", both(func() { lazy.once.Do(func() { made(new(link)) }) })},
		{"OnceValue", both(func() { made(lazy.value()) })},
		{"OnceValues", both(func() {
			c, _ := lazy.values()
			made(c)
		})},
		{"a map for many", both(func() {
			if _, ok := lazy.all.Load("c"); !ok {
				lazy.all.Store("c", 1)
			}
		})},
		{"a map under a lock", both(func() {
			lazy.mu.Lock()
			c := lazy.cache["c"]
			lazy.mu.Unlock()
			if c == nil {
				lazy.mu.Lock()
				lazy.cache = map[string]*link{"c": new(link)}
				lazy.mu.Unlock()
			}
		})},
		{"a flag under a lock", both(func() {
			lazy.flagMu.Lock()
			was := lazy.flag
			lazy.flag = true
			lazy.flagMu.Unlock()
			if !was {
				made(new(link))
			}
		})},
		{"a flag that is swapped", both(func() {
			if lazy.started.CompareAndSwap(false, true) {
				lazy.count.Add(1)
			}
		})},
		{"a channel", both(func() {
			lazy.makes.Lock()
			defer lazy.makes.Unlock()
			if lazy.made == nil {
				lazy.made = make(chan bool, 1)
				lazy.made <- true
			}
		})},
		{"a value", both(func() {
			if lazy.swapped.Load() == nil {
				lazy.swapped.CompareAndSwap(nil, 1)
			}
		})},
		{"a list that fills", both(func() {
			lazy.listMu.Lock()
			n := len(lazy.list)
			if n < 2 {
				lazy.list = append(lazy.list, n)
			}
			lazy.listMu.Unlock()
			if n < 2 {
				lazy.count.Add(1)
			}
		})},
	}
}

var singleton atomic.Pointer[link]

// Singleton makes one connection for the whole process, or by mistake two.
func Singleton(t *explore.T) {
	get := func() *link {
		if l := singleton.Load(); l != nil {
			return l
		}
		l := new(link)
		singleton.Store(l)
		return l
	}
	var got [2]*link
	for i := range got {
		t.Go(string(rune('a'+i)), func() { got[i] = get() })
	}
	t.Wait()
	if got[0] != got[1] {
		t.Error("two connections")
	}
}

var filled atomic.Int32

// Filling sets up state of the whole process once. It fails if another goroutine reads the
// state at one particular moment, which few random schedules reach.
func Filling(t *explore.T) {
	if filled.Load() > 0 {
		t.Go("fills", func() { filled.Add(1) })
		t.Wait()
		return
	}
	t.Go("fills", func() {
		for range 12 {
			filled.Add(1)
		}
	})
	t.Go("looks", func() {
		if filled.Load() == 11 {
			t.Error("seen before it was full")
		}
	})
	t.Wait()
}
