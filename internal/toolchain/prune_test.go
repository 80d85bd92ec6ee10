package toolchain_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

const day = 24 * time.Hour

// aged gives a file, which it creates if size is positive, or an existing folder a time
// of last use that is age ago.
func aged(t *testing.T, path string, size int64, age time.Duration) string {
	t.Helper()
	if size > 0 {
		write(t, filepath.Dir(path), filepath.Base(path), "")
		if err := os.Truncate(path, size); err != nil { // sparse, so that it occupies no space
			t.Fatal(err)
		}
	}
	then := time.Now().Add(-age)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	return path
}

// forget makes the next build prune the cache.
func forget(t *testing.T, cache string) {
	t.Helper()
	aged(t, filepath.Join(cache, "pruned"), 0, day)
}

func there(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// A build removes entries that were not used for long, at most once an hour, and no
// files of other owners.
func TestPrune(t *testing.T) {
	req := toolchain.Request{Dir: program(t, "kept"), Cache: t.TempDir(), NoRace: true}
	binary := mustBuild(t, req)
	bin := filepath.Dir(binary)
	old, young := filepath.Join(req.Cache, "overlay-0123456789abcdef"), filepath.Join(req.Cache, "overlay-fedcba9876543210")
	gone := []string{
		aged(t, filepath.Join(bin, "old"), 1, 6*day),
		aged(t, filepath.Join(old, "bin", "old"), 1, 6*day),
		aged(t, filepath.Join(old, "overlay.json"), 1, 0), // its time depends on its content, not on its use
	}
	kept := []string{
		binary,
		aged(t, filepath.Join(bin, "young"), 1, 4*day),
		aged(t, filepath.Join(young, "bin", "young"), 1, 4*day),
		aged(t, filepath.Join(young, "overlay.json"), 1, 6*day),
		aged(t, filepath.Join(req.Cache, "explored", "file"), 1, 6*day),
		aged(t, filepath.Join(req.Cache, "overlay-mine", "file"), 1, 6*day),
		aged(t, filepath.Join(req.Cache, "file"), 1, 6*day),
	}
	aged(t, old, 0, 6*day)
	aged(t, young, 0, 6*day)
	aged(t, binary, 0, 6*day)
	linked := stat(t, binary)
	if err := os.Link(binary, filepath.Join(t.TempDir(), "same")); err != nil { // keeps its inode from being reused
		t.Fatal(err)
	}
	mustBuild(t, req)
	for _, path := range gone {
		if !there(t, path) {
			t.Errorf("%s is gone within an hour of the last pruning", path)
		}
	}
	aged(t, binary, 0, 6*day)
	aged(t, filepath.Dir(bin), 0, 6*day)
	forget(t, req.Cache)
	mustBuild(t, req)
	if !os.SameFile(linked, stat(t, binary)) {
		t.Error("what is asked for was removed and linked again")
	}
	for _, path := range append(gone, old) {
		if there(t, path) {
			t.Errorf("%s is there, want it removed", path)
		}
	}
	for _, path := range kept {
		if !there(t, path) {
			t.Errorf("%s is removed, want it there", path)
		}
	}
}

// If there are more than room bytes, the least recently used entries are removed, but
// none that was used within a day.
func TestPruneForRoom(t *testing.T) {
	const gib = 1 << 30
	req := toolchain.Request{Dir: program(t, ""), Cache: t.TempDir(), NoRace: true}
	bin := filepath.Dir(mustBuild(t, req))
	today := aged(t, filepath.Join(bin, "today"), 6*gib, day/2)
	newer := aged(t, filepath.Join(bin, "newer"), gib, 2*day)
	older := aged(t, filepath.Join(bin, "older"), 2*gib, 3*day)
	size, err := toolchain.Size(req.Cache)
	if err != nil || size < 9*gib || size > 9*gib+gib/4 {
		t.Errorf("got %d bytes, %v, want 9 GiB and a little", size, err)
	}
	forget(t, req.Cache)
	mustBuild(t, req)
	if there(t, older) || !there(t, newer) || !there(t, today) {
		t.Errorf("older: %t, newer: %t, today: %t; want the older one removed", there(t, older), there(t, newer), there(t, today))
	}
	if err := os.Truncate(today, 20*gib); err != nil {
		t.Fatal(err)
	}
	aged(t, today, 0, day/2)
	forget(t, req.Cache)
	mustBuild(t, req)
	if there(t, newer) || !there(t, today) {
		t.Errorf("newer: %t, today: %t; want only what was used today", there(t, newer), there(t, today))
	}
}

// A build keeps its own overlay, even if nothing was built with it for long.
func TestPruneKeepsTheOverlay(t *testing.T) {
	req := toolchain.Request{Dir: program(t, ""), Cache: t.TempDir(), NoRace: true}
	binary := mustBuild(t, req)
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	aged(t, filepath.Dir(filepath.Dir(binary)), 0, 6*day)
	forget(t, req.Cache)
	mustBuild(t, req)
}

// Even while other builds prune, a build returns an existing program.
func TestPruneAtTheSameTime(t *testing.T) {
	req := toolchain.Request{Dir: program(t, "there"), Cache: t.TempDir(), NoRace: true}
	binary := mustBuild(t, req)
	home := filepath.Dir(filepath.Dir(binary))
	for range 5 {
		aged(t, binary, 0, 6*day)
		aged(t, home, 0, 6*day)
		forget(t, req.Cache)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				binary, err := toolchain.Build(t.Context(), req)
				if err != nil {
					t.Error(err)
				} else if got := output(t, binary); got != "there" {
					t.Errorf("got %q, want there", got)
				}
			})
		}
		wg.Wait()
	}
}

// Prune removes entries after a day, and keeps more recently used ones.
func TestPruneWhenAsked(t *testing.T) {
	cache := t.TempDir()
	home := filepath.Join(cache, "overlay-0123456789abcdef")
	old := aged(t, filepath.Join(home, "bin", "old"), 1, 2*day)
	young := aged(t, filepath.Join(home, "bin", "young"), 1, day/2)
	overlay := aged(t, filepath.Join(home, "overlay.json"), 1, 2*day)
	explored := aged(t, filepath.Join(cache, "explored", "file"), 1, 2*day)
	aged(t, home, 0, 2*day)
	if err := toolchain.Prune(t.Context(), cache, time.Now()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{old: false, young: true, overlay: true, explored: true} {
		if got := there(t, path); got != want {
			t.Errorf("%s: got it there: %t, want %t", path, got, want)
		}
	}
}
