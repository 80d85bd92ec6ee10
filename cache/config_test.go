package cache_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

func TestConfigIsChecked(t *testing.T) {
	for want, cfg := range map[string]cache.Config[int, int]{
		"Shards is 3":                            {Shards: 3},
		"Shards is -1":                           {Shards: -1},
		"Shards is 8192":                         {Shards: 8192},
		"Capacity is -1":                         {Capacity: -1},
		fmt.Sprint("Capacity is ", math.MaxInt):  {Capacity: math.MaxInt, Shards: 2},
		"MaxEntries is -2":                       {MaxEntries: -2},
		"TTL is -1s":                             {TTL: -time.Second},
		"RefreshAfter is -1s, want 0 or more":    {RefreshAfter: -time.Second},
		"RefreshAfter is 1m0s, want less than":   {RefreshAfter: time.Minute, TTL: time.Minute},
		"MaxWeight is -3, want 0 or more":        {MaxWeight: -3},
		"MaxWeight is 3, with a Weigher: false;": {MaxWeight: 3},
		"MaxWeight is 0, with a Weigher: true;":  {Weigher: func(int, int) int64 { return 1 }},
	} {
		c, err := cache.New(cfg)
		if c != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New gave %v, want an error with %q", err, want)
		}
	}
}

func TestImpossibleKeysAndCreators(t *testing.T) {
	c := open(t, cache.Config[float64, int]{})
	if _, err := c.GetOrCreate(t.Context(), math.NaN(), plain(1)); !errors.Is(err, cache.ErrKey) {
		t.Errorf("NaN gave %v, want ErrKey", err)
	}
	if err := c.Set(math.NaN(), 1); !errors.Is(err, cache.ErrKey) {
		t.Errorf("NaN gave %v, want ErrKey", err)
	}
	if _, ok := c.CompareAndSwap(math.NaN(), 0, 1); ok {
		t.Error("NaN was taken")
	}
	if _, err := c.GetOrCreate(t.Context(), 1, nil); !errors.Is(err, cache.ErrNoCreator) {
		t.Errorf("no creator gave %v, want ErrNoCreator", err)
	}
	if c.Len() != 0 {
		t.Errorf("Len is %d, want 0", c.Len())
	}
}

func TestChangesOfPlainValuesAllocateTheItemOnly(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	_ = c.Set("k", 1)
	if n := testing.AllocsPerRun(100, func() { _ = c.Set("k", 2) }); n != 1 {
		t.Errorf("Set in the place of a value allocates %v times, want 1", n)
	}
	if n := testing.AllocsPerRun(100, func() { c.Delete("k"); _ = c.Set("k", 2) }); n != 1 {
		t.Errorf("Delete and Set allocate %v times, want 1", n)
	}
}

func TestHitsDoNotAllocate(t *testing.T) {
	ctx, create := context.Background(), plain(1)
	check := func(name string, f func()) {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times, want 0", name, n)
		}
	}
	for name, cfg := range map[string]cache.Config[string, int]{
		"plain": {}, "sharded": {Shards: 8}, "bounded": {MaxEntries: 10}, "expiring": {TTL: time.Hour}, "counting": {Count: true}, "refreshed": {RefreshAfter: time.Hour},
	} {
		c := open(t, cfg)
		_ = c.Set("k", 1)
		check(name+" GetOrCreate", func() { _, _ = c.GetOrCreate(ctx, "k", create) })
		check(name+" Get", func() { c.Get("k") })
		check(name+" GetVersion", func() { c.GetVersion("k") })
	}
	closers := open(t, cache.Config[int, *object]{})
	_ = closers.Set(1, &object{})
	check("closer Get", func() { closers.Get(1) })
	structs := open(t, cache.Config[[2]string, int]{Shards: 2})
	_ = structs.Set([2]string{"a", "b"}, 1)
	check("struct key", func() { structs.Get([2]string{"a", "b"}) })
}
