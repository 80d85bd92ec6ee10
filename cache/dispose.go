package cache

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
)

// disposal closes values, each object once.
type disposal[K comparable, V any] struct {
	mayClose bool // V is or can hold an io.Closer; set by New

	mu sync.Mutex
	// held counts the entries that hold an object, for comparable objects. An object under two keys, or set twice, is
	// closed when the last of its entries lets go of it.
	held map[io.Closer]int
	// retired are removed entries whose values were handed out without a lease. Close closes them.
	retired []removal[K, V]
	drained bool // Close has taken retired
	errs    []error
	lost    int // how many errors were dropped beyond maxErrs
}

// maxErrs bounds the errors of closing values before Close that are kept for Close to return.
const maxErrs = 16

// canClose reports whether a value of type V may have a Close method.
func canClose[V any]() bool {
	t := reflect.TypeFor[V]()
	return t.Kind() == reflect.Interface || t.Implements(reflect.TypeFor[io.Closer]())
}

// closerOf returns the value as a closer, or nil.
func (c *Cache[K, V]) closerOf(v V) io.Closer {
	if !c.disposal.mayClose {
		return nil
	}
	x, _ := any(v).(io.Closer)
	if r := reflect.ValueOf(x); r.Kind() == reflect.Pointer && r.IsNil() {
		return nil
	}
	return x
}

// adopt makes the cache the owner of v and returns the state flags of its entry.
func (c *Cache[K, V]) adopt(v V) uint64 {
	x := c.closerOf(v)
	c.disposal.hold(x)
	return flagsOf(x)
}

// flagsOf returns the state flags for the entry of a value with this closer, nil for none.
func flagsOf(x io.Closer) uint64 {
	if x == nil {
		return 0
	}
	return closer | unpinned
}

// countable reports whether x is an object that can be recognised under another key.
func countable(x io.Closer) bool { return x != nil && reflect.ValueOf(x).Comparable() }

// hold counts one more entry that holds an object. It may be called under a bucket lock.
func (d *disposal[K, V]) hold(x io.Closer) {
	if !countable(x) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held == nil {
		d.held = map[io.Closer]int{}
	}
	d.held[x]++
}

// disown undoes one adopt, or one hold of v's closer. It returns v's closer if no other entry holds the object, and nil otherwise.
func (c *Cache[K, V]) disown(v V) io.Closer {
	x := c.closerOf(v)
	if !countable(x) {
		return x
	}
	d := &c.disposal
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held[x] > 1 {
		d.held[x]--
		return nil
	}
	delete(d.held, x)
	return x
}

// dispose closes v unless another entry holds the same object. It keeps an error for Close to return.
func (c *Cache[K, V]) dispose(v V) {
	x := c.disown(v)
	if x == nil {
		return
	}
	guarded(x.Close, func(err error) {
		if err != nil {
			c.disposal.note(fmt.Errorf("cache: closing a value: %w", err))
		}
	})
}

func (d *disposal[K, V]) note(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.errs) < maxErrs {
		d.errs = append(d.errs, err)
	} else {
		d.lost++
	}
}

// report returns the errors noted so far, joined.
func (d *disposal[K, V]) report() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	errs := d.errs
	if d.lost > 0 {
		errs = append(errs, fmt.Errorf("cache: and %d more errors of closing values", d.lost))
	}
	return errors.Join(errs...)
}

// retire keeps a removed value, which callers hold without a lease, until the cache closes.
func (c *Cache[K, V]) retire(e *entry[K, V]) {
	d := &c.disposal
	r := removal[K, V]{item: e.item(), key: e.key, cause: Closed, told: true}
	d.mu.Lock()
	late := d.drained
	if !late {
		d.retired = append(d.retired, r)
	}
	d.mu.Unlock()
	if late {
		c.release(r)
	}
}

// drain returns the retired values. Values retired later are released at once.
func (d *disposal[K, V]) drain() []removal[K, V] {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drained = true
	retired := d.retired
	d.retired = nil
	return retired
}
