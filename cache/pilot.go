package cache

import "golang.org/x/sync/singleflight"

// pilot has creations run on goroutines of their own, one after the other. Making it costs more than a quick creation, so it
// is used again: what is left to allocate is what singleflight does for a call.
type pilot[K comparable, V any] struct {
	cache  *Cache[K, V]
	group  singleflight.Group
	flight *flight[K, V]
	// fly and work are the methods of these names; as fields they are allocated once.
	fly  func()
	work func() (any, error)
}

// launch has the creation run on a goroutine of its own. The caller has started it.
func (c *Cache[K, V]) launch(f *flight[K, V]) {
	p, _ := c.pilots.Get().(*pilot[K, V])
	if p == nil {
		p = &pilot[K, V]{cache: c}
		p.fly, p.work = p.flyOne, p.workOn
	}
	p.flight = f
	go p.fly()
}

// flyOne is the goroutine. A Goexit in the creator ends it, and the pilot with it.
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
