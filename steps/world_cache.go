package steps

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/cache"
)

// The two keys of a cache.
const (
	warp = "warp"
	weft = "weft"
)

// Errors of a cache's callers, besides those of package cache.
var (
	errCreator = errors.New("the creator has failed")
	errLost    = errors.New("the value has changed meanwhile")
	errEmpty   = errors.New("there is no value")
	errClosed  = errors.New("the object was closed while it was leased")
)

// An object is a cached value that counts how often it is closed.
type object struct {
	number int
	by     string // how it was made: created, set, swapped, read before
	closed atomic.Int32
}

// Close counts the call.
func (o *object) Close() error {
	o.closed.Add(1)
	return nil
}

func (o *object) String() string { return fmt.Sprintf("object %d, %s", o.number, o.by) }

// A store is a cache, with all objects that were made for it.
type store struct {
	*cache.Cache[string, *object]
	how   string // how creators behave
	held  *object
	stamp cache.Stamp
	gate  chan struct{} // closed when the callers that ask for no value have ended

	mu    sync.Mutex
	made  []*object  // written and read under mu
	going int        // creators under way; written and read under mu
	over  *sync.Cond // on mu; signals that going is less
}

func (p *plot) openCache() (*world, error) {
	c, err := cache.New(cache.Config[string, *object]{})
	if err != nil {
		return nil, err
	}
	s := &store{Cache: c, how: p.creator, gate: make(chan struct{})}
	s.over = sync.NewCond(&s.mu)
	w := newWorld(string(aCache))
	w.gate = func() { close(s.gate) }
	w.closes = append(w.closes, func() error { return ignoring(s.Close(), cache.ErrClosed) })
	s.stamp, s.held = s.Stamp(warp), s.object("read before")
	if p.value {
		if err := s.Set(warp, s.object("there from the start")); err != nil {
			return nil, err
		}
	}
	s.enter(w)
	return w, nil
}

// object makes a new object.
func (s *store) object(by string) *object {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &object{number: len(s.made) + 1, by: by}
	s.made = append(s.made, o)
	return o
}

// create returns the creator of a key's value. other is the other key.
func (s *store) create(other string) func(context.Context) (*object, error) {
	return func(ctx context.Context) (*object, error) {
		s.begin()
		defer s.end()
		switch s.how {
		case "fail":
			return nil, errCreator
		case "panic":
			panic(errCreator)
		case "exit":
			runtime.Goexit()
		case "wait for the others":
			select {
			case <-s.gate:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		case "ask for each other's key":
			if _, err := s.GetOrCreate(ctx, other, s.create(map[string]string{warp: weft, weft: warp}[other])); err != nil {
				return nil, err
			}
		}
		return s.object("created"), nil
	}
}

func (s *store) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going++
}

func (s *store) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going--
	s.over.Broadcast()
}

func (s *store) enter(w *world) {
	ask := func(k, other string) callFunc {
		return func(ctx context.Context, _ asker) answer { return objectOf(s.GetOrCreate(ctx, k, s.create(other))) }
	}
	w.calls["ask for the value"], w.calls["ask for the other value"] = ask(warp, weft), ask(weft, warp)
	w.calls["give up"] = func(ctx context.Context, _ asker) answer {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go cancel()
		return objectOf(s.GetOrCreate(ctx, warp, s.create(weft)))
	}
	w.calls["read the value"] = func(context.Context, asker) answer {
		o, ok := s.Get(warp)
		if !ok {
			return answer{err: errEmpty}
		}
		return objectOf(o, nil)
	}
	w.calls["set the value"] = func(context.Context, asker) answer { return answer{err: s.Set(warp, s.object("set"))} }
	w.calls["delete the value"] = func(context.Context, asker) answer { s.Delete(warp); return answer{} }
	w.calls["invalidate the value"] = func(context.Context, asker) answer { s.Invalidate(warp); return answer{} }
	w.calls["swap the value"] = s.swap
	w.calls["fill the value in"] = func(context.Context, asker) answer {
		return answer{err: unless(s.Fill(warp, s.held, s.stamp), errLost)}
	}
	w.calls["lease the value"] = s.lease
	w.calls["close the cache"] = write(func(context.Context) error { return s.Close() })
	s.count(w)
}

// swap replaces the value, if its version is still the one that swap has read.
func (s *store) swap(context.Context, asker) answer {
	was, _ := s.GetVersion(warp)
	_, ok := s.CompareAndSwap(warp, was.Version, s.object("swapped"))
	return answer{err: unless(ok, errLost), text: fmt.Sprintf("version %d", was.Version)}
}

// lease acquires the value, and checks that it is open while leased.
func (s *store) lease(ctx context.Context, _ asker) answer {
	l, err := s.Acquire(ctx, warp, s.create(weft))
	if err != nil {
		return answer{err: err}
	}
	defer l.Release()
	runtime.Gosched()
	return answer{object: l.Value(), err: unless(l.Value().closed.Load() == 0, errClosed)}
}

func (s *store) count(w *world) {
	counted := func(f func(*object) bool) func(context.Context) (int, error) {
		return func(context.Context) (int, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			n := 0
			for _, o := range s.made {
				if f(o) {
					n++
				}
			}
			return n, nil
		}
	}
	w.facts["objects"] = counted(func(o *object) bool { return o.by == "created" })
	w.facts["objects that were closed twice"] = counted(func(o *object) bool { return o.closed.Load() > 1 })
	w.facts["objects that are open"] = counted(func(o *object) bool { return o != s.held && o.by != "swapped" && o.closed.Load() == 0 })
	w.facts["creations under way"] = func(context.Context) (int, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for s.going > 0 { // for ever, if a creator that should have been cancelled was not
			s.over.Wait()
		}
		return s.going, nil
	}
}

// objectOf returns the answer for an object.
func objectOf(o *object, err error) answer {
	if err != nil {
		return answer{err: err}
	}
	return answer{object: o, text: o.String()}
}

// unless returns err if ok is false.
func unless(ok bool, err error) error {
	if ok {
		return nil
	}
	return err
}

// ignoring returns err unless it is the expected one.
func ignoring(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
