package explored

import (
	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func versions() []Row {
	return []Row{
		{ID: "V1", What: "of two swaps of one version one succeeds", Body: swapOnce},
		{ID: "V2", What: "no update is lost between swaps", Body: addBySwaps},
		{ID: "V3", What: "a version that was deleted does not come back", Body: noComeback},
	}
}

func swapOnce(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	x.set("k")
	seen, _ := x.c.GetVersion("k")
	var swapped counter
	for range 2 {
		t.Go("swapper", func() {
			o := x.object()
			version, ok := x.c.CompareAndSwap("k", seen.Version, o)
			if o.given = ok; ok {
				swapped.add()
			}
			if ok && version <= seen.Version {
				t.Errorf("version %d after %d", version, seen.Version)
			}
		})
	}
	t.Go("deleter", func() {
		if x.c.CompareAndDelete("k", seen.Version) {
			swapped.add()
		}
	})
	t.Wait()
	if n := swapped.get(); n != 1 {
		t.Errorf("%d changes of one version succeeded, want 1", n)
	}
	x.end()
}

func addBySwaps(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	for range 2 {
		t.Go("adder", func() {
			for {
				v, _ := c.GetVersion("k")
				if _, ok := c.CompareAndSwap("k", v.Version, v.Value+1); ok {
					return
				}
			}
		})
	}
	t.Wait()
	if v, _ := c.Get("k"); v != 2 {
		t.Errorf("got %d, want 2", v)
	}
	_ = c.Close()
}

func noComeback(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	_ = c.Set("k", 1)
	seen, _ := c.GetVersion("k")
	t.Go("replacer", func() {
		c.Delete("k")
		_ = c.Set("k", 1)
	})
	t.Go("swapper", func() {
		now, ok := c.GetVersion("k")
		if _, did := c.CompareAndSwap("k", seen.Version, 2); did && ok && now.Version != seen.Version {
			t.Errorf("swapped version %d, which had been replaced by %d", seen.Version, now.Version)
		}
	})
	t.Wait()
	_ = c.Close()
}
