package soak

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// board is where the processes tell one another which plans and actions there are, so that all of them work on the same few. It is a
// file that lines are added to. It tells nothing of their states: for that the service has to be asked.
//
// It is safe for any number of goroutines.
type board struct {
	file *os.File

	mu   sync.Mutex
	read int64  // up to where; guarded by mu
	torn string // the beginning of a line that is not there as a whole yet; guarded by mu
}

func openBoard(dir string) (*board, error) {
	f, err := os.OpenFile(filepath.Join(dir, "board"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("soak: %w", err)
	}
	return &board{file: f}, nil
}

// post adds a line.
func (b *board) post(kind, name string) error {
	if _, err := b.file.WriteString(kind + " " + name + "\n"); err != nil {
		return fmt.Errorf("soak: %w", err)
	}
	return nil
}

// news calls see for each line that was not read before.
func (b *board) news(see func(kind, name string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	buf := make([]byte, 4096)
	for {
		n, _ := b.file.ReadAt(buf, b.read) // the end of the file is no error here, and others show when posting
		b.read += int64(n)
		lines := strings.SplitAfter(b.torn+string(buf[:n]), "\n")
		b.torn = lines[len(lines)-1]
		for _, l := range lines[:len(lines)-1] {
			kind, name, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
			see(kind, name)
		}
		if n < len(buf) {
			return
		}
	}
}

func (b *board) close() error { return b.file.Close() }
