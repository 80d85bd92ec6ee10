package toolchain

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// CacheDir returns the cache directory as an absolute path, and creates it if it does
// not exist. If dir is empty it uses the directory that the environment names; see
// [Request].Cache. The error wraps [ErrCache].
func CacheDir(dir string) (string, error) {
	if dir == "" {
		dir = os.Getenv("JACQUARD_CACHE")
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrCache, err)
		}
		dir = filepath.Join(user, "jacquard")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrCache, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("%w: %w", ErrCache, err)
	}
	return dir, nil
}

// binaryName returns a file name that is unique to the program, directory, tags,
// toolchain and overlay, and still readable.
func binaryName(req Request, in installation, overlay string) string {
	of := digest("%q %q %t %t %t %s %q %q %q", req.Dir, req.Package, req.Test, req.Fuzz, req.NoRace, allTags(req, in), req.Flags, in.GOVERSION, overlay)
	name := filepath.Base(filepath.Join(req.Dir, filepath.FromSlash(req.Package)))
	name = strings.Map(plain, name) + "-" + of
	if req.Test {
		name += ".test"
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// digest returns a short hash of a formatted text.
func digest(format string, args ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, format, args...))
	return hex.EncodeToString(sum[:8])
}

// Replace replaces the content of a file atomically. The file keeps its permissions, and a link to
// it stays; a new file is as readable as others, because people commit it and CI systems upload it.
func Replace(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := os.OpenFile(filepath.Join(filepath.Dir(path), "new-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if old, missing := os.Stat(path); missing == nil {
		err = errors.Join(err, f.Chmod(old.Mode().Perm()))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// plain keeps the characters that are valid in every file name.
func plain(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
		return r
	}
	return '_'
}

// lock waits for the lock in file, which is released when its process ends. If ctx ends
// first, the lock is released as soon as it is acquired.
func lock(ctx context.Context, file string) (unlock func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	type outcome struct {
		unlock func()
		err    error
	}
	got := make(chan outcome, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(file).Lock()
		got <- outcome{unlock, err}
	}()
	select {
	case o := <-got:
		if errors.Is(o.err, errors.ErrUnsupported) {
			// The file system has no locks. Concurrent builds are then slower, but
			// correct: each replaces the binary atomically.
			return func() {}, nil
		}
		return o.unlock, o.err
	case <-ctx.Done():
		go func() {
			if o := <-got; o.err == nil {
				o.unlock()
			}
		}()
		return nil, fmt.Errorf("waiting for another build: %w", context.Cause(ctx))
	}
}
