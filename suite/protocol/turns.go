package protocol

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
)

// Turns give an exploration its time, and the number of processes that it may use. The command
// divides its own time among the tests, one turn after another, as long as the exploration still
// meets new executions. Between turns the process waits, between two schedules. Turns must be used
// by one goroutine, which is not under control.
type Turns struct {
	file *os.File
	from *child.Conn
	now  Turn
	end  time.Time
	last time.Time // end of the time for reducing; zero means none
}

// A Turn is how long an exploration may continue, and how many processes may run its schedules,
// itself included. A Time of 0 says that there are no more turns. Left bounds how long a failure
// found in the turn may be reduced, from its beginning on; 0 means no bound.
type Turn struct {
	Time, Left time.Duration
	Processes  int
}

// OpenTurns opens the pipe that [Request].Turns names. There is no turn before the first call of
// Next.
func OpenTurns(path string) (*Turns, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Turns{file: f, from: child.Lines(f, nil)}, nil
}

// Processes returns how many processes may run schedules in the turn, including this one.
func (t *Turns) Processes() int { return t.now.Processes }

// Over reports whether the turn is over.
func (t *Turns) Over() bool { return !time.Now().Before(t.end) }

// Last reports whether the time for reducing failures is over, too.
func (t *Turns) Last() bool { return !t.last.IsZero() && !time.Now().Before(t.last) }

// Next waits for the next turn. It returns false if there is none: the exploration ends with its
// present result.
func (t *Turns) Next() (bool, error) {
	t.now = Turn{}
	switch err := t.from.Receive(&t.now); {
	case err == io.EOF:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("a turn: %w", err)
	case t.now.Processes < 1:
		return false, fmt.Errorf("a turn: got %d processes, want at least 1", t.now.Processes)
	}
	t.end, t.last = time.Now().Add(t.now.Time), time.Time{}
	if t.now.Left > 0 {
		t.last = time.Now().Add(t.now.Left)
	}
	return t.now.Time > 0, nil
}

// Close closes the pipe.
func (t *Turns) Close() error { return t.file.Close() }

// FirstTime returns how long the first schedule of a test may take, of the time left for it and
// other tests: a longer one would leave time for few schedules, and none for the other tests.
func FirstTime(left time.Duration) time.Duration {
	const part, usual = 8, 5 * time.Second
	return min(left/2, max(left/part, usual))
}
