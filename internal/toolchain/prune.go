package toolchain

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// What stays in the cache directory. Nothing that was used within a day goes, so
// that a path that Build has returned may be used for so long.
const (
	kept     = 5 * 24 * time.Hour // after its last use, as in the go command's own cache
	spared   = 24 * time.Hour     // after its last use, though there is more than room
	room     = 8 << 30            // bytes
	interval = time.Hour          // of looking
)

// The last use of an overlay or a binary is when its folder or file was
// modified. Whoever marks it, or removes what is not marked, holds the lock of
// the cache directory; so what was marked in time stays.
func mark(path string) error {
	now := time.Now()
	err := os.Chtimes(path, now, now)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is not made yet
	}
	return err
}

// alone does something with the cache directory that nobody else does at the same
// time.
func alone(ctx context.Context, cache string, do func() error) error {
	unlock, err := lock(ctx, filepath.Join(cache, "lock"))
	if err != nil {
		return cacheError(cache, err)
	}
	defer unlock()
	return cacheError(cache, do())
}

// pruneInTime removes what has not been used for long, if nobody has lately. What
// cannot be removed is not worth an error: it is tried again.
func pruneInTime(cache string, now time.Time) {
	stamp := filepath.Join(cache, "pruned")
	if info, err := os.Stat(stamp); err == nil && now.Sub(info.ModTime()) < interval {
		return
	}
	if os.WriteFile(stamp, nil, 0o600) == nil && os.Chtimes(stamp, now, now) == nil {
		prune(cache, now)
	}
}

// prune removes what was not used for as long as things are kept, and what was
// used longest ago while there is more than room. The lock is held.
func prune(cache string, now time.Time) {
	all := entries(cache)
	slices.SortFunc(all, func(a, b entry) int { return a.used.Compare(b.used) })
	var size int64
	for _, e := range all {
		size += e.size
	}
	for _, e := range all {
		if idle := now.Sub(e.used); idle > kept || idle > spared && size > room {
			_ = os.RemoveAll(e.path) // see pruneInTime
			size -= e.size
		}
	}
}

// An entry is what is kept or removed as one: an overlay, a binary.
type entry struct {
	path string
	used time.Time
	size int64 // bytes; of an overlay, without its binaries
}

// homes are what the folders of overlays are called. What else is in the cache
// directory may be somebody else's.
var homes = regexp.MustCompile(`^overlay-[0-9a-f]{16}$`)

// binariesDir is the folder of the binaries, in that of the overlay.
const binariesDir = "bin"

func entries(cache string) []entry {
	var all []entry
	dirs, _ := os.ReadDir(cache) // without it nothing is removed
	for _, d := range dirs {
		if !d.IsDir() || !homes.MatchString(d.Name()) {
			continue
		}
		path := filepath.Join(cache, d.Name())
		info, err := d.Info()
		if err != nil {
			continue
		}
		home := entry{path: path, used: info.ModTime()}
		for _, f := range files(path) {
			home.size += f.size
		}
		binaries := files(filepath.Join(path, binariesDir))
		for _, b := range binaries {
			if b.used.After(home.used) {
				home.used = b.used
			}
		}
		all = append(append(all, home), binaries...)
	}
	return all
}

// files are the files in a folder, if there is one.
func files(dir string) []entry {
	var all []entry
	found, _ := os.ReadDir(dir) // what cannot be read is not removed
	for _, d := range found {
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, entry{filepath.Join(dir, d.Name()), info.ModTime(), info.Size()})
		}
	}
	return all
}

// Size is how many bytes there are in the cache directory that come and go by
// themselves. If dir is empty it is the one that the environment names.
func Size(dir string) (bytes int64, err error) {
	if dir, err = CacheDir(dir); err != nil {
		return 0, err
	}
	for _, e := range entries(dir) {
		bytes += e.size
	}
	return bytes, nil
}

// Prune removes what was built and not used for a day. What was used since may be in use.
func Prune(ctx context.Context, dir string, now time.Time) error {
	dir, err := CacheDir(dir)
	if err != nil {
		return err
	}
	return alone(ctx, dir, func() error {
		var errs []error
		for _, e := range entries(dir) {
			if now.Sub(e.used) > spared {
				errs = append(errs, os.RemoveAll(e.path))
			}
		}
		return errors.Join(errs...)
	})
}
