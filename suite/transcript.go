package suite

import (
	"bytes"
	"fmt"
	"sync"
)

// A transcript keeps what a process writes: all of it up to twice a limit, else
// the beginning and the end. It is safe for concurrent use.
type transcript struct {
	limit int // of each of the two, in bytes

	mu         sync.Mutex
	head, tail []byte
	total      int
}

// The limits: what a test writes in its one schedule of the survey is printed,
// what it writes in thousands of schedules is of interest only if the process
// dies.
const (
	surveyed = 8 << 20
	explored = 32 << 10
)

func (t *transcript) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	t.total += n
	if room := t.limit - len(t.head); room > 0 {
		room = min(room, n)
		t.head, b = append(t.head, b[:room]...), b[room:]
	}
	if t.tail = append(t.tail, b...); len(t.tail) > 2*t.limit {
		t.tail = append(t.tail[:0], t.tail[len(t.tail)-t.limit:]...)
	}
	return n, nil
}

// String is the text, with a line that says how much is left out.
func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	tail := t.tail
	if len(tail) > t.limit {
		tail = tail[len(tail)-t.limit:]
	}
	left := t.total - len(t.head) - len(tail)
	if left == 0 {
		return string(t.head) + string(tail)
	}
	// Lines stay whole.
	head := t.head
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		left += len(head) - i - 1
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 {
		left += i + 1
		tail = tail[i+1:]
	}
	return fmt.Sprintf("%s... %s bytes left out ...\n%s", head, thousands(left), tail)
}
