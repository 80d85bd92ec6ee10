package child

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// Words keeps what a process writes: everything up to twice the limit, else the
// beginning and the end. It is safe for concurrent use.
type Words struct {
	Limit int // of the beginning and of the end, in bytes

	mu         sync.Mutex
	head, tail []byte
	total      int
}

// Write implements [io.Writer]. It never fails, so that it never stops the process.
func (w *Words) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(b)
	w.total += n
	if room := w.Limit - len(w.head); room > 0 {
		room = min(room, n)
		w.head, b = append(w.head, b[:room]...), b[room:]
	}
	if w.tail = append(w.tail, b...); len(w.tail) > 2*w.Limit {
		w.tail = append(w.tail[:0], w.tail[len(w.tail)-w.Limit:]...)
	}
	return n, nil
}

// String returns the text, with a line that says how much is left out.
func (w *Words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	tail := w.tail
	if len(tail) > w.Limit {
		tail = tail[len(tail)-w.Limit:]
	}
	left := w.total - len(w.head) - len(tail)
	if left == 0 {
		return string(w.head) + string(tail)
	}
	// Only whole lines are kept.
	head := w.head
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		left += len(head) - i - 1
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 {
		left += i + 1
		tail = tail[i+1:]
	}
	return fmt.Sprintf("%s... %d bytes left out ...\n%s", head, left, tail)
}

// FirstLine returns the first nonempty line: for a Go program that crashes, the
// reason.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
