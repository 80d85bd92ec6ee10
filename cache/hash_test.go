package cache_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/cache"
)

// The hash must spread typical keys over the buckets (xsync takes the bits above the lowest seven) and the tags (the
// lowest seven). The statistic is that of a chi-squared test; the bound is six standard deviations, which a fair hash
// exceeds once in 10⁸.
func TestHashSpreads(t *testing.T) {
	const n = 1 << 16
	spreads(t, "consecutive", n, func(i int) int { return i })
	spreads(t, "negative", n, func(i int) int { return -i })
	spreads(t, "pages", n, func(i int) int { return i << 12 })
	spreads(t, "high bits", n, func(i int) int { return i << 47 })
	spreads(t, "int64", n, func(i int) int64 { return int64(i) * 1000 })
	spreads(t, "uint64", n, func(i int) uint64 { return uint64(i) * 255 })
	spreads(t, "int32", n, func(i int) int32 { return int32(i) })
	spreads(t, "uint32", n, func(i int) uint32 { return uint32(i) << 15 })
	spreads(t, "short", n, func(i int) string { return fmt.Sprintf("%x", i) })
	spreads(t, "eight", n, func(i int) string { return fmt.Sprintf("%08d", i) })
	spreads(t, "sixteen", n, func(i int) string { return fmt.Sprintf("user:%05d:name", i) })
	spreads(t, "long", n, func(i int) string { return fmt.Sprintf("https://example.org/%d/index.html", i) })
	spreads(t, "longer", n, func(i int) string { return fmt.Sprint(strings.Repeat("x", 64), i, strings.Repeat("y", 64)) })
	spreads(t, "lengths", 1<<12, func(i int) string { return strings.Repeat("a", i) })
}

func spreads[K comparable](t *testing.T, name string, n int, key func(int) K) {
	t.Helper()
	hash := cache.Hasher[K]()
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = hash(key(i), 0x0123456789abcdef)
	}
	for _, part := range []struct {
		name  string
		cells int
		of    func(uint64) uint64
	}{
		{"buckets", 256, func(h uint64) uint64 { return h >> 7 & 255 }},
		{"tags", 128, func(h uint64) uint64 { return h & 127 }},
		{"shards", 256, func(h uint64) uint64 { return h >> 56 }},
		{"stripes", 64, func(h uint64) uint64 { return h & 63 }},
	} {
		counts := make([]float64, part.cells)
		for _, h := range hashes {
			counts[part.of(h)]++
		}
		want, chi := float64(n)/float64(part.cells), 0.0
		for _, c := range counts {
			chi += (c - want) * (c - want) / want
		}
		if dof := float64(part.cells - 1); chi > dof+6*math.Sqrt(2*dof) {
			t.Errorf("%s: keys are uneven over %s: chi-squared is %.0f for %.0f", name, part.name, chi, dof)
		}
	}
	slices.Sort(hashes)
	if whole := len(slices.Compact(hashes)); whole != n {
		t.Errorf("%s: %d hashes of %d keys", name, whole, n)
	}
}

// Each byte of a string affects its hash, and so do its length, the seed and the secret.
func TestHashTakesEverythingIn(t *testing.T) {
	hash, other := cache.Hasher[string](), cache.Hasher[string]()
	for n := range 100 {
		s := strings.Repeat("k", n)
		seen := map[uint64]string{}
		note := func(what string, h uint64) {
			if was, ok := seen[h]; ok {
				t.Errorf("length %d: the same hash for %s and %s", n, was, what)
			}
			seen[h] = what
		}
		note("itself", hash(s, 1))
		note("another seed", hash(s, 2))
		note("another secret", other(s, 1))
		note("one more", hash(s+"k", 1))
		for i := range n {
			note(fmt.Sprint("byte ", i), hash(s[:i]+"l"+s[i+1:], 1))
		}
	}
	if cache.Hasher[[2]int]() != nil || cache.Hasher[any]() != nil {
		t.Error("there is a hash function for keys that are left to xsync")
	}
}
