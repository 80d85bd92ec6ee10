// Package ledger keeps what is known of tests in files that processes share.
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

// A File has what is known of the tests of a package, by their names. Any number of
// processes may use it at the same time; one that is killed leaves it as it was.
type File[T any] struct{ Dir, Name string }

// lockName is the file that keeps writers apart, those of all files in a folder.
const lockName = "lock"

// ErrDamaged says that a file is not what was written.
var ErrDamaged = errors.New("it is damaged")

// kept is a file's content. The sum keeps out what is JSON by accident.
type kept struct {
	Sum   string
	Tests json.RawMessage
}

func (l File[T]) path() string { return filepath.Join(l.Dir, l.Name+".json") }

// Read returns what is known by test: nothing if there is no file, or, with
// ErrDamaged, if it is damaged.
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

// Update changes what is known, while no other process does. A damaged file is
// replaced.
func (l File[T]) Update(change func(tests map[string]T)) error {
	return l.Exclusively(func() error { return l.change(change) })
}

// Exclusively does something while nobody else does anything of the kind in the folder.
func (l File[T]) Exclusively(do func() error) error {
	if err := os.MkdirAll(l.Dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(l.Dir, lockName)).Lock()
	switch {
	case err == nil:
		defer unlock()
	case !errors.Is(err, errors.ErrUnsupported): // without locks the last one's word counts
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

// write replaces the file in one step.
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

// memorable is how long what nobody has added to is remembered.
const memorable = 60 * 24 * time.Hour

// forgetOld removes the files, of other programs and of processes that were
// killed, that have long been of no use.
func (l File[T]) forgetOld() {
	files, _ := os.ReadDir(l.Dir) // they only take room
	for _, f := range files {
		if f.Name() == lockName { // of use to this writer, however old it is
			continue
		}
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > memorable {
			_ = os.Remove(filepath.Join(l.Dir, f.Name())) // the same
		}
	}
}

func sum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
