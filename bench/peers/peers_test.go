package peers_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/bench/peers"
)

var errCreate = errors.New("creator failed")

// TestBasics: each adapter calls its library, and does with one goroutine what all of them promise.
func TestBasics(t *testing.T) {
	for _, name := range peers.All() {
		t.Run(string(name), func(t *testing.T) {
			c, err := peers.Open[string, int](name, 100)
			if err != nil {
				t.Fatal(err)
			}
			if closer, ok := c.(peers.Closer); ok {
				defer closer.Close()
			}
			ctx := t.Context()
			if v, ok := c.Get("k"); ok {
				t.Errorf("an empty cache has %v", v)
			}
			if _, err := c.GetOrCreate(ctx, "k", func(context.Context) (int, error) { return 0, errCreate }); !errors.Is(err, errCreate) {
				t.Errorf("got %v, want the creator's error", err)
			}
			for range 2 {
				if v, err := c.GetOrCreate(ctx, "k", func(context.Context) (int, error) { return 7, nil }); v != 7 || err != nil {
					t.Errorf("got %v, %v, want 7", v, err)
				}
			}
			if v, ok := c.Get("k"); v != 7 || !ok {
				t.Errorf("got %v, %v, want 7", v, ok)
			}
			if took := c.Set("k", 8); !took {
				t.Error("Set was refused")
			}
			if v, err := c.GetOrCreate(ctx, "k", nil); v != 8 || err != nil {
				t.Errorf("got %v, %v, want 8", v, err)
			}
			if r, ok := c.(peers.Ranger[string, int]); ok {
				var seen []string
				r.Range(func(key string, v int) bool { seen = append(seen, key); return v == 8 })
				if !slices.Equal(seen, []string{"k"}) {
					t.Errorf("iterated over %q, want k", seen)
				}
			}
			c.Delete("k")
			if v, ok := c.Get("k"); ok {
				t.Errorf("got %v after Delete", v)
			}
		})
	}
}

// TestKeepsMany: no adapter evicts what it has room for.
func TestKeepsMany(t *testing.T) {
	const n = 3000
	for _, name := range peers.All() {
		c, err := peers.Open[int, int](name, n)
		if errors.Is(err, peers.ErrKeys) && name == peers.SturdycName {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for k := range n {
			c.Set(k, k)
		}
		for k := range n {
			if v, ok := c.Get(k); !ok || v != k {
				t.Fatalf("%s: key %d has %v, %v", name, k, v, ok)
			}
		}
		if closer, ok := c.(peers.Closer); ok {
			closer.Close()
		}
	}
}

func TestUnknown(t *testing.T) {
	if c, err := peers.Open[string, int]("bigcache", 1); !errors.Is(err, peers.ErrUnknown) || c != nil {
		t.Errorf("got %v, %v, want %v", c, err, peers.ErrUnknown)
	}
	if c, err := peers.Open[int, int](peers.SturdycName, 1); !errors.Is(err, peers.ErrKeys) || c != nil {
		t.Errorf("got %v, %v, want %v", c, err, peers.ErrKeys)
	}
}

// TestVersions: the versions in a table are those of the program that made it.
func TestVersions(t *testing.T) {
	for _, name := range peers.All() {
		if known := peers.Version(name) != ""; known == (name == peers.Ours) {
			t.Errorf("%s of %q: got version %q", name, peers.Module(name), peers.Version(name))
		}
	}
}

// The optional interfaces of each adapter.
var (
	_ peers.Invalidator[int]    = (*peers.Jacquard[int, int])(nil)
	_ peers.Ranger[int, int]    = (*peers.Jacquard[int, int])(nil)
	_ peers.Closer              = (*peers.Jacquard[int, int])(nil)
	_ peers.Versioner[int, int] = (*peers.Jacquard[int, int])(nil)
	_ peers.Leaser[int, int]    = (*peers.Jacquard[int, int])(nil)
	_ peers.Stamper[int, int]   = (*peers.Jacquard[int, int])(nil)
	_ peers.Invalidator[int]    = (*peers.Otter[int, int])(nil)
	_ peers.Ranger[int, int]    = (*peers.Otter[int, int])(nil)
	_ peers.Ranger[int, int]    = (*peers.Theine[int, int])(nil)
	_ peers.Closer              = (*peers.Theine[int, int])(nil)
	_ peers.Ranger[int, int]    = (*peers.TTLCache[int, int])(nil)
	_ peers.Ranger[string, int] = (*peers.Sturdyc[int])(nil)
	_ peers.Ranger[int, int]    = (*peers.SyncMap[int, int])(nil)
	_ peers.Ranger[int, int]    = (*peers.Xsync[int, int])(nil)
	_ peers.Ranger[int, int]    = (*peers.Singleflight[int, int])(nil)
)
