package suite

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// A Shard is the part of all tests that one of several machines runs: the Index-th of Count, from
// 1. The zero value is all tests. The part depends only on the packages and on the names of their
// tests: together the shards run each test once, with the same schedules as without shards.
type Shard struct{ Index, Count int }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// check refuses an invalid shard.
func (s Shard) check() error {
	if s != (Shard{}) && (s.Index < 1 || s.Index > s.Count) {
		return fmt.Errorf("%w: Shard: got %v, want one from 1/%d to %[3]d/%[3]d", ErrConfig, s, max(s.Count, 1))
	}
	return nil
}

// has reports whether the n-th test of a package is in the shard. Packages start at different
// shards, because many have only one test.
func (s Shard) has(pkg string, n int) bool {
	if s.Count < 2 {
		return true
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(pkg)) // it never fails
	return (int(h.Sum32()%uint32(s.Count))+n)%s.Count == s.Index-1
}

// elsewhere returns the package's tests that other shards run.
func (r *run) elsewhere() (names []string) {
	if r.cfg.Shard.Count < 2 {
		return nil
	}
	all := r.Declared()
	slices.Sort(all) // independent of shuffling and of files
	for i, name := range all {
		if !r.cfg.Shard.has(r.ImportPath, i) {
			names = append(names, name)
		}
	}
	return names
}
