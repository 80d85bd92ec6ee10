package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// GetOrCreateAll returns the values of keys. It creates the missing ones with one call of create, which gets the keys
// that are missing and that no other call is creating. It starts create before it waits for the creations of other calls,
// so two calls for the same keys in different orders do not wait for each other. Duplicate keys count once.
//
// The map holds the values of all keys that have one in the end, even if there is an error. The error is create's, that
// of another call's creation of a key, or one that [Cache.GetOrCreate] would return; several are joined. If ctx ends or
// the cache is closed, the call ends at once. Otherwise it ends when all keys are decided.
//
// create runs on a goroutine of its own, with a context as in GetOrCreate. That context ends when none of the keys is
// wanted any more: their callers have left, or the keys were set, deleted or invalidated. Such a change of one key does
// not affect the others. A panic or Goexit in create is an error of all its keys.
//
// A key that create leaves out of its map has no value: it is not in the map returned here, and a GetOrCreate that
// waits for it gets [ErrNoValue], which is remembered like any error (Config.ErrorTTL). Values for keys that were not
// asked for are closed if they are closers, and dropped otherwise. A map returned with an error is ignored.
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
	aboard  []*flight[K, V] // flights that the call has joined and not yet waited for
}

// look takes the values that exist and returns the other keys, each once. It makes all calls of user code that can
// panic (comparing keys, asking ctx), because none may be made once creations have been published.
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

// round publishes a creation for each key, or joins another call's creation of it, runs its own, and waits for all of
// them. It returns the keys whose creations were superseded, or the error that ends the call.
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
		case err == ErrClosed && !t.cache.table.isOpen(), err != nil && t.request.ctx.Err() != nil:
			return nil, err
		case err == nil:
			again = append(again, key)
		case err == ErrNoValue && (f.batch != b || b.err == nil): // the key was left out
		default:
			t.note(err)
		}
	}
	return again, nil
}

// board publishes or joins a flight for every key and starts the creator for those it published. False means that
// the cache is closed.
func (t *tour[K, V]) board(b *batch[K, V], missing []K) (open bool) {
	defer b.depart() // also if a removal hook ends the goroutine
	var others []*flight[K, V]
	defer func() { t.aboard = append(t.aboard, others...) }() // behind the caller's own flights
	for _, key := range missing {
		it, f, own, err := b.seat(key)
		switch {
		case err == ErrNoValue: // the key was left out, and that is remembered
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

// seat adds a key to the batch if no creation of it is under way. Otherwise it returns the creation under way, which the
// caller has joined, the value, or the remembered error. If the cache is closed, it returns only zero values.
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
			f = e.flight.Load() // before joining: a decided entry has no flight
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

// await is [Cache.attend] for one flight of several.
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

// leave gives up the flights that the call has not waited for, however the call ended.
func (t *tour[K, V]) leave() {
	each(t.aboard, func(f *flight[K, V]) { t.cache.leave(f.entry, f) })
}

// note records an error once: a bulk creator's error arrives once for each key.
func (t *tour[K, V]) note(err error) {
	if !slices.ContainsFunc(t.errs, func(noted error) bool { return errors.Is(noted, err) }) {
		t.errs = append(t.errs, err)
	}
}

// failed returns the errors recorded so far, joined with err, the one that ended the call (or nil).
func (t *tour[K, V]) failed(err error) error {
	if err != nil {
		t.note(err)
	}
	if len(t.errs) == 1 {
		return t.errs[0]
	}
	return errors.Join(t.errs...)
}
