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

// Limits on the cache directory. Nothing that was used within a day is removed, so that
// a path returned by Build may be used for that long.
const (
	kept     = 5 * 24 * time.Hour // maximum time since the last use, as in the go command's own cache
	spared   = 24 * time.Hour     // minimum time since the last use, even if there is more than room
	room     = 8 << 30            // bytes, for overlays and binaries together
	interval = time.Hour          // between two prunings
)

// mark records a use of an overlay or a binary, as the modification time of its folder
// or file. Marking, and removing unmarked entries, requires the lock of the cache
// directory, so that entries marked in time stay.
func mark(path string) error {
	now := time.Now()
	err := os.Chtimes(path, now, now)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it does not exist yet
	}
	return err
}

// alone calls do while holding the lock of the cache
// directory.
func alone(ctx context.Context, cache string, do func() error) error {
	unlock, err := lock(ctx, filepath.Join(cache, "lock"))
	if err != nil {
		return cacheError(cache, err)
	}
	defer unlock()
	return cacheError(cache, do())
}

// pruneInTime prunes the cache directory, unless that was done recently. It ignores
// errors, because a later call tries again.
func pruneInTime(cache string, now time.Time) {
	stamp := filepath.Join(cache, "pruned")
	if info, err := os.Stat(stamp); err == nil && now.Sub(info.ModTime()) < interval {
		return
	}
	if os.WriteFile(stamp, nil, 0o600) == nil && os.Chtimes(stamp, now, now) == nil {
		prune(cache, now)
	}
}

// prune removes entries that were not used for the maximum time, and the least recently
// used ones while there is more than room. The caller holds the lock.
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

// An entry is a unit that is kept or removed: an overlay, or a binary.
type entry struct {
	path string
	used time.Time
	size int64 // in bytes; for an overlay, without its binaries
}

// homes matches the names of overlay folders. Other files in the cache directory may
// have other owners.
var homes = regexp.MustCompile(`^overlay-[0-9a-f]{16}$`)

// binariesDir is the folder of binaries within that of an overlay.
const binariesDir = "bin"

func entries(cache string) []entry {
	var all []entry
	dirs, _ := os.ReadDir(cache) // an unreadable folder is left alone
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

// files returns the files in a folder, if it exists.
func files(dir string) []entry {
	var all []entry
	found, _ := os.ReadDir(dir) // unreadable files are left alone
	for _, d := range found {
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, entry{filepath.Join(dir, d.Name()), info.ModTime(), info.Size()})
		}
	}
	return all
}

// Size returns the total size, in bytes, of the overlays and binaries in the cache
// directory. If dir is empty it uses the directory that the environment names.
func Size(dir string) (bytes int64, err error) {
	if dir, err = CacheDir(dir); err != nil {
		return 0, err
	}
	for _, e := range entries(dir) {
		bytes += e.size
	}
	return bytes, nil
}

// Prune removes overlays and binaries not used for a day. More recent ones may be in use.
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
