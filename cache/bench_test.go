package cache_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/puzpuzpuz/xsync/v3"

	"github.com/jacquard-go/jacquard/cache"
)

// The raw map is the floor: what a hit costs with no guarantee at all.

func BenchmarkHit(b *testing.B) {
	ints := func(i int) int { return i }
	b.Run("int/1K", func(b *testing.B) { benchHit(b, 1<<10, ints) })
	b.Run("string/1K", func(b *testing.B) { benchHit(b, 1<<10, strconv.Itoa) })
	b.Run("int/1M", func(b *testing.B) { benchHit(b, 1<<20, ints) })
	b.Run("string/1M", func(b *testing.B) { benchHit(b, 1<<20, strconv.Itoa) })
}

func benchHit[K comparable](b *testing.B, n int, key func(int) K) {
	keys := make([]K, n)
	for i := range keys {
		keys[i] = key(i)
	}
	order := make([]K, 1<<20)
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.01, 1, uint64(n-1))
	perm := rand.New(rand.NewPCG(3, 4)).Perm(n)
	for i := range order {
		if n <= 1<<10 {
			order[i] = keys[i%n]
		} else {
			order[i] = keys[perm[zipf.Uint64()]]
		}
	}
	b.Run("raw", func(b *testing.B) {
		m := xsync.NewMapOf[K, int]()
		for i, k := range keys {
			m.Store(k, i)
		}
		b.ResetTimer()
		for i := range b.N {
			if _, ok := m.Load(order[i&(1<<20-1)]); !ok {
				b.Fatal("miss")
			}
		}
	})
	b.Run("cache", func(b *testing.B) {
		c, _ := cache.New(cache.Config[K, int]{})
		for i, k := range keys {
			_ = c.Set(k, i)
		}
		ctx := context.Background()
		create := func(context.Context) (int, error) { return 0, nil }
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			if _, err := c.GetOrCreate(ctx, order[i&(1<<20-1)], create); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkMiss(b *testing.B) {
	c, _ := cache.New(cache.Config[int, int]{})
	ctx := context.Background()
	create := func(context.Context) (int, error) { return 0, nil }
	b.ReportAllocs()
	for i := range b.N {
		if _, err := c.GetOrCreate(ctx, i, create); err != nil {
			b.Fatal(err)
		}
	}
}
