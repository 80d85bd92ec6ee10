package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// GetOrCreateAll returns the values of keys and creates those that are missing with one call of create, which is given
// the keys that are missing and that nobody else is creating. What others are creating is waited for, after create was
// started: two calls for the same keys in another order do not wait for each other. Keys that are given twice count once.
//
// The map has the values of all keys that have one in the end, also beside an error. The error is create's own, or that
// of the creation of a key by somebody else, or what [Cache.GetOrCreate] would return; if there are several, it joins
// them. If ctx ends or the cache is closed, the call ends at once; all else it ends when all keys are decided.
//
// create is called on a goroutine of its own, with a context as in GetOrCreate: it ends when none of the keys is wanted
// any more, be it that their callers have left, or that they were set, deleted or invalidated. Such a change of one key
// leaves the others alone. A panic or Goexit in create is an error of all of its keys.
//
// A key that create leaves out of its map has no value: it is not in the map here, and a GetOrCreate that waits for it
// gets [ErrNoValue]. That is remembered only as an error is. What create adds to its map is closed, if it is a
// closer, and otherwise dropped. A map beside an error is ignored.
func (c *Cache[K, V]) GetOrCreateAll(
	ctx context.Context, keys []K, create func(ctx context.Context, missing []K) (map[K]V, error),
) (map[K]V, error) {
	t := tour[K, V]{cache: c, create: create, got: make(map[K]V, len(keys))}
	missing, err := t.look(ctx, keys)
	if err != nil || len(missing) == 0 {
		return t.got, err
	}
	t.request = &request[V]{ctx: ctx, done: ctx.Done(), asker: flightOf(ctx)}
	defer t.leave()
	for superseded := 0; len(missing) > 0; superseded++ {
		switch {
		case superseded == maxSuperseded:
			return t.got, t.failed(&FutileError{missing[0], superseded})
		case superseded > 0 && ctx.Err() != nil:
			return t.got, t.failed(stopped(ctx, missing[0]))
		}
		if missing, err = t.round(missing); err != nil {
			return t.got, t.failed(err)
		}
	}
	return t.got, t.failed(nil)
}

// tour is one call of GetOrCreateAll.
type tour[K comparable, V any] struct {
	cache   *Cache[K, V]
	create  func(context.Context, []K) (map[K]V, error)
	request *request[V]
	got     map[K]V
	errs    []error
	aboard  []*flight[K, V] // joined and not yet waited for
}

// look takes the values that are there and returns the other keys, each once. Nothing of the user's that can panic is
// called once creations have been published, so keys and context are asked here all that they are asked.
func (t *tour[K, V]) look(ctx context.Context, keys []K) (missing []K, err error) {
	seen := make(map[K]bool, len(keys))
	for _, key := range keys {
		if unequal(key) {
			return nil, fmt.Errorf("%w: %v", ErrKey, key)
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		it, ok := t.cache.find(key)
		if ok {
			t.got[key] = it.value
			continue
		}
		if !t.cache.table.isOpen() {
			return nil, ErrClosed
		}
		if err := admissible(ctx, key, t.create != nil); err != nil {
			return nil, err
		}
		missing = append(missing, key)
	}
	return missing, nil
}

// round publishes a creation for each key or joins that of somebody else, has its own run, and waits for all. It returns
// the keys whose creations were superseded, or why not to go on.
func (t *tour[K, V]) round(missing []K) (again []K, err error) {
	b := t.cache.batch(t.request, t.create)
	defer b.arrive()
	if !t.board(b, missing) {
		return nil, ErrClosed
	}
	for len(t.aboard) > 0 {
		f := t.aboard[0]
		t.aboard = t.aboard[1:]
		key := f.entry.key
		switch done, err := t.await(f, b); {
		case done:
			t.got[key] = f.entry.value
		case err == ErrClosed || err != nil && t.request.ctx.Err() != nil:
			return nil, err
		case err == nil:
			again = append(again, key)
		default:
			t.note(err)
		}
	}
	return again, nil
}

// board has all keys under way and starts the creator of those that are the caller's. False means that the cache is
// closed.
func (t *tour[K, V]) board(b *batch[K, V], missing []K) (open bool) {
	defer b.depart() // also if a removal hook ends the goroutine
	var others []*flight[K, V]
	defer func() { t.aboard = append(t.aboard, others...) }() // behind the caller's own
	for _, key := range missing {
		it, f, own, err := b.seat(key)
		switch {
		case err != nil:
			t.note(err)
		case own:
			t.aboard = append(t.aboard, f)
		case f != nil:
			others = append(others, f)
		case it.version == 0:
			return false
		default:
			t.got[key] = it.value
		}
	}
	return true
}

// seat adds a key to the batch if nobody creates it yet. Otherwise it returns the creation under way, which the caller has
// joined, or the value, or the error that is remembered. If the cache is closed, it returns nothing.
func (b *batch[K, V]) seat(key K) (it item[K, V], f *flight[K, V], own bool, err error) {
	c := b.cache
	for {
		m := c.table.shard(key)
		if m == nil {
			return item[K, V]{}, nil, false, nil
		}
		it, loaded := m.LoadOrCompute(key, func() item[K, V] {
			var e *entry[K, V]
			if e, f = c.pending(key, false); f != nil {
				f.batch = b
				b.flights = append(b.flights, f)
			}
			return item[K, V]{entry: e}
		})
		switch e := it.entry; {
		case !loaded:
			return item[K, V]{}, f, f != nil, nil
		case e == nil:
			return it, nil, false, nil
		default:
			f = e.flight.Load() // before joining: a decided entry has none
			if f != nil && e.join() {
				return item[K, V]{}, f, false, nil
			}
			if c.offer(e, 0) == taken {
				return e.item(), nil, false, nil
			}
			if err := c.recall(e); err != nil {
				return item[K, V]{}, nil, false, err
			}
			c.clear(e)
		}
	}
}

// await is attend for one of many.
func (t *tour[K, V]) await(f *flight[K, V], b *batch[K, V]) (done bool, err error) {
	if f.batch != b {
		return t.cache.attend(f, t.request, false)
	}
	select {
	case <-b.ctx.Done():
		return t.cache.outcome(f, t.request)
	case <-t.request.done:
		t.cache.leave(f.entry, f)
		return false, stopped(t.request.ctx, f.entry.key)
	}
}

// leave gives up what is still waited for, when the call ends early, in whichever way.
func (t *tour[K, V]) leave() {
	each(t.aboard, func(f *flight[K, V]) { t.cache.leave(f.entry, f) })
}

// note keeps an error. That of a bulk creator comes once for each key. That a key has no value is none here.
func (t *tour[K, V]) note(err error) {
	if err != ErrNoValue && !slices.ContainsFunc(t.errs, func(noted error) bool { return errors.Is(noted, err) }) {
		t.errs = append(t.errs, err)
	}
}

// failed returns the errors, and with them what ended the call.
func (t *tour[K, V]) failed(err error) error {
	if err != nil {
		t.note(err)
	}
	if len(t.errs) == 1 {
		return t.errs[0]
	}
	return errors.Join(t.errs...)
}
