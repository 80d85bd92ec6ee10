package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

func ExampleCache_GetOrCreate() {
	c, _ := cache.New(cache.Config[string, int]{})
	defer c.Close()
	created := 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			_, _ = c.GetOrCreate(context.Background(), "answer", func(context.Context) (int, error) {
				created++ // no race: it is called once
				return 42, nil
			})
		})
	}
	wg.Wait()
	v, ok := c.Get("answer")
	fmt.Println(v, ok, "created", created)
	// Output: 42 true created 1
}

// One query for all missing keys.
func ExampleCache_GetOrCreateAll() {
	c, _ := cache.New(cache.Config[int, string]{})
	defer c.Close()
	_ = c.Set(2, "two")
	names, err := c.GetOrCreateAll(context.Background(), []int{1, 2, 3}, func(_ context.Context, missing []int) (map[int]string, error) {
		fmt.Println("SELECT … WHERE id IN", missing)
		return map[int]string{1: "one"}, nil // there is no 3
	})
	fmt.Println(names, err)
	// Output:
	// SELECT … WHERE id IN [1 3]
	// map[1:one 2:two] <nil>
}

// A creator that needs another key passes on its context. So a cycle is an error and not a deadlock.
func ExampleCycleError() {
	c, _ := cache.New(cache.Config[string, int]{})
	defer c.Close()
	needs := map[string]string{"roof": "walls", "walls": "floor", "floor": "roof"}
	var build func(name string) func(context.Context) (int, error)
	build = func(name string) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) {
			return c.GetOrCreate(ctx, needs[name], build(needs[name]))
		}
	}
	_, err := c.GetOrCreate(context.Background(), "roof", build("roof"))
	fmt.Println(errors.Is(err, cache.ErrCycle))
	fmt.Println(err)
	// Output:
	// true
	// cache: creation cycle: floor → roof → walls → floor
}

// file is a closer.
type file struct{ name string }

func (f *file) Close() error {
	fmt.Println("closing", f.name)
	return nil
}

func ExampleCache_Acquire() {
	c, _ := cache.New(cache.Config[string, *file]{})
	defer c.Close()
	lease, _ := c.Acquire(context.Background(), "log", func(context.Context) (*file, error) {
		return &file{name: "log"}, nil
	})
	c.Delete("log")
	fmt.Println("deleted, still using", lease.Value().name)
	lease.Release()
	// Output:
	// deleted, still using log
	// closing log
}

func ExampleCache_CompareAndSwap() {
	c, _ := cache.New(cache.Config[string, int]{})
	defer c.Close()
	_ = c.Set("balance", 100)
	seen, _ := c.GetVersion("balance")
	_ = c.Set("balance", 70) // another writer
	_, ok := c.CompareAndSwap("balance", seen.Version, seen.Value+10)
	fmt.Println("swapped an old version:", ok)
	seen, _ = c.GetVersion("balance")
	_, ok = c.CompareAndSwap("balance", seen.Version, seen.Value+10)
	v, _ := c.Get("balance")
	fmt.Println("swapped the current one:", ok, v)
	// Output:
	// swapped an old version: false
	// swapped the current one: true 80
}

// A value read before a change cannot be filled in after it.
func ExampleCache_Fill() {
	c, _ := cache.New(cache.Config[string, string]{})
	defer c.Close()
	stamp := c.Stamp("plan")
	read := "queued" // from the database, which then changes:
	c.Invalidate("plan")
	fmt.Println(c.Fill("plan", read, stamp))
	fmt.Println(c.Fill("plan", "running", c.Stamp("plan")))
	// Output:
	// false
	// true
}

func ExampleConfig() {
	now := time.Unix(0, 0)
	c, _ := cache.New(cache.Config[string, int]{
		MaxEntries: 2,
		TTL:        time.Minute,
		Now:        func() time.Time { return now },
		OnRemoval:  func(r cache.Removal[string, int]) { fmt.Println(r.Key, r.Cause) },
	})
	_ = c.Set("a", 1)
	_ = c.Set("b", 2)
	c.Get("a")
	_ = c.Set("c", 3) // a is in use, b is not
	now = now.Add(time.Minute)
	c.Get("a")
	_ = c.Close()
	// Output:
	// b evicted
	// a expired
	// c closed
}

// A limit in bytes.
func ExampleConfig_weigher() {
	c, _ := cache.New(cache.Config[string, []byte]{
		MaxWeight: 1 << 10,
		Weigher:   func(key string, page []byte) int64 { return int64(len(key) + len(page)) },
		OnRemoval: func(r cache.Removal[string, []byte]) { fmt.Println(r.Key, r.Cause) },
	})
	_ = c.Set("/a", make([]byte, 600))
	_ = c.Set("/b", make([]byte, 300))
	_ = c.Set("/c", make([]byte, 500))
	fmt.Println(c.Len(), "left")
	// Output:
	// /a evicted
	// 2 left
}

// A missing user is looked up once a minute.
func ExampleConfig_errorTTL() {
	errNotFound := errors.New("not found")
	c, _ := cache.New(cache.Config[string, int]{
		ErrorTTL: func(_ string, err error) time.Duration {
			if errors.Is(err, errNotFound) {
				return time.Minute
			}
			return 0
		},
	})
	defer c.Close()
	ask := func(context.Context) (int, error) {
		fmt.Println("asked the database")
		return 0, errNotFound
	}
	for range 2 {
		_, err := c.GetOrCreate(context.Background(), "k", ask)
		fmt.Println(err)
	}
	_ = c.Set("k", 7)
	fmt.Println(c.Get("k"))
	// Output:
	// asked the database
	// not found
	// not found
	// 7 true
}

// Two instances that cache the same data.
func ExampleJoin() {
	var bus cache.LocalBus
	codec := cache.KeyCodec[int]{Encode: strconv.Itoa, Decode: strconv.Atoi}
	here, _ := cache.New(cache.Config[int, string]{})
	there, _ := cache.New(cache.Config[int, string]{})
	defer here.Close()
	defer there.Close()
	member, _ := cache.Join(here, &bus, codec)
	_, _ = cache.Join(there, &bus, codec)

	_ = there.Set(7, "queued")
	// Here the data is changed and committed. Then:
	_ = member.Invalidate(context.Background(), 7)
	_, ok := there.Get(7)
	fmt.Println("still cached there:", ok)
	// Output: still cached there: false
}
