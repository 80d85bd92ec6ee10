// Package ledger stores data about tests in files that processes share.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A File holds data about the tests of a package, by test name. Any number of processes may use it
// at the same time; a process that is killed leaves it unchanged.
type File[T any] struct{ Dir, Name string }

// lockName is the lock file for the writers of all files in a folder.
const lockName = "lock"

// ErrDamaged means that a file's content is not what was written.
var ErrDamaged = errors.New("it is damaged")

// kept is a file's content. The sum detects damage that is still valid JSON.
type kept struct {
	Sum   string
	Tests json.RawMessage
}

func (l File[T]) path() string { return filepath.Join(l.Dir, l.Name+".json") }

// Read returns the data by test: none if there is no file, or, with ErrDamaged, if it is damaged.
func (l File[T]) Read() (map[string]T, error) {
	tests := make(map[string]T)
	text, err := os.ReadFile(l.path())
	if errors.Is(err, fs.ErrNotExist) {
		return tests, nil
	} else if err != nil {
		return tests, fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	var k kept
	if json.Unmarshal(text, &k) != nil || k.Sum != sum(k.Tests) || json.Unmarshal(k.Tests, &tests) != nil {
		return make(map[string]T), fmt.Errorf("%s: %w", l.path(), ErrDamaged)
	}
	return tests, nil
}

// Update changes the data under the folder's lock. It replaces a damaged file.
func (l File[T]) Update(change func(tests map[string]T)) error {
	return l.Exclusively(func() error { return l.change(change) })
}

// Exclusively calls do under the folder's lock.
func (l File[T]) Exclusively(do func() error) error {
	if err := os.MkdirAll(l.Dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(l.Dir, lockName)).Lock()
	switch {
	case err == nil:
		defer unlock()
	case !errors.Is(err, errors.ErrUnsupported): // without locks the last writer wins
		return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	return do()
}

func (l File[T]) change(change func(tests map[string]T)) error {
	tests, err := l.Read()
	if err != nil && !errors.Is(err, ErrDamaged) {
		return err
	}
	before, damaged := fmt.Sprint(tests), err != nil
	if change(tests); fmt.Sprint(tests) == before && !damaged {
		return nil
	}
	if err := l.write(tests); err != nil {
		return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	return nil
}

// write replaces the file atomically.
func (l File[T]) write(tests map[string]T) error {
	l.forgetOld()
	text, err := json.Marshal(tests)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(kept{sum(text), text}); err != nil {
		return err
	}
	return toolchain.Replace(l.path(), text)
}

// memorable is how long files that are not updated are kept.
const memorable = 60 * 24 * time.Hour

// forgetOld removes files that have long been unused: those of other programs and of processes that
// were killed.
func (l File[T]) forgetOld() {
	files, _ := os.ReadDir(l.Dir) // they only take space
	for _, f := range files {
		if f.Name() == lockName { // this writer needs it, however old it is
			continue
		}
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > memorable {
			_ = os.Remove(filepath.Join(l.Dir, f.Name())) // they only take space
		}
	}
}

func sum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
