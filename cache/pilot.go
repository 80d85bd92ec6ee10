package cache

import "golang.org/x/sync/singleflight"

// pilot runs creations on goroutines of their own, one at a time. Making a pilot costs more than a quick creation, so
// pilots are pooled; what remains to allocate is what singleflight needs for a call.
type pilot[K comparable, V any] struct {
	cache  *Cache[K, V]
	group  singleflight.Group
	flight *flight[K, V]
	// fly and work hold the method values flyOne and workOn, so that these are allocated once.
	fly  func()
	work func() (any, error)
}

// launch runs the creation, which the caller has started, on a goroutine of its own.
func (c *Cache[K, V]) launch(f *flight[K, V]) {
	p, _ := c.pilots.Get().(*pilot[K, V])
	if p == nil {
		p = &pilot[K, V]{cache: c}
		p.fly, p.work = p.flyOne, p.workOn
	}
	p.flight = f
	go p.fly()
}

// flyOne is the goroutine's body. A Goexit in the creator ends it, and the pilot does not return to the pool.
func (p *pilot[K, V]) flyOne() {
	makeRoom(false)
	_, _, _ = p.group.Do("", p.work)
	p.flight = nil
	p.cache.pilots.Put(p)
}

func (p *pilot[K, V]) workOn() (any, error) {
	p.cache.run(p.flight)
	return nil, nil
}
