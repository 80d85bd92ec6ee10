package suite

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

// A ledger is a file with what is known of the tests of a package. Any number of
// processes may use it at the same time; one that is killed leaves it as it was.
type ledger[T any] struct{ dir, name string }

// lockName is the file that keeps writers apart, those of all ledgers in a folder.
const lockName = "lock"

// errLedger says that a file is not what was written.
var errLedger = errors.New("it is damaged")

// kept is the file's content. The sum keeps out what is JSON by accident.
type kept struct {
	Sum   string
	Tests json.RawMessage
}

func (l ledger[T]) path() string { return filepath.Join(l.dir, l.name+".json") }

// read returns what is known by test: nothing if there is no file, or, with
// errLedger, if it is damaged.
func (l ledger[T]) read() (map[string]T, error) {
	tests := make(map[string]T)
	text, err := os.ReadFile(l.path())
	if errors.Is(err, fs.ErrNotExist) {
		return tests, nil
	} else if err != nil {
		return tests, fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	var k kept
	if json.Unmarshal(text, &k) != nil || k.Sum != sum(k.Tests) || json.Unmarshal(k.Tests, &tests) != nil {
		return make(map[string]T), fmt.Errorf("%s: %w", l.path(), errLedger)
	}
	return tests, nil
}

// update changes what is known, while no other process does. A damaged file is
// replaced.
func (l ledger[T]) update(change func(tests map[string]T)) error {
	return l.exclusively(func() error { return l.change(change) })
}

// exclusively does something while nobody else does anything of the kind in the folder.
func (l ledger[T]) exclusively(do func() error) error {
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(l.dir, lockName)).Lock()
	switch {
	case err == nil:
		defer unlock()
	case !errors.Is(err, errors.ErrUnsupported): // without locks the last one's word counts
		return fmt.Errorf("%w: %w", toolchain.ErrCache, err)
	}
	return do()
}

func (l ledger[T]) change(change func(tests map[string]T)) error {
	tests, err := l.read()
	if err != nil && !errors.Is(err, errLedger) {
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
func (l ledger[T]) write(tests map[string]T) error {
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
func (l ledger[T]) forgetOld() {
	files, _ := os.ReadDir(l.dir) // they only take room
	for _, f := range files {
		if f.Name() == lockName { // of use to this writer, however old it is
			continue
		}
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > memorable {
			_ = os.Remove(filepath.Join(l.dir, f.Name())) // the same
		}
	}
}

func sum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
