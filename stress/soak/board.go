package soak

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// board is a file to which the processes append the plans and actions that exist, so that all of them work on the same few. It does not
// say in which states these are: that takes a call to the service.
//
// It is safe for concurrent use.
type board struct {
	file *os.File

	mu   sync.Mutex
	read int64  // the offset up to which it was read; guarded by mu
	torn string // the beginning of a line that is not complete yet; guarded by mu
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

// news calls see for each line that it has not read before.
func (b *board) news(see func(kind, name string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	buf := make([]byte, 4096)
	for {
		n, _ := b.file.ReadAt(buf, b.read) // the end of the file is no error here, and other errors show when posting
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
