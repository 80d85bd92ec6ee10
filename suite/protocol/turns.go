package protocol

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
)

// Turns are how an exploration gets its time, and the number of processes that it may
// use, from the command, which divides its own among the tests: one turn after the
// other, as long as the exploration still meets what is new. In between the process
// waits, between two schedules. For use by one goroutine, which is under nobody's
// control.
type Turns struct {
	file *os.File
	from *child.Conn
	now  Turn
	end  time.Time
	last time.Time // for what is found; zero is none
}

// A Turn is how long an exploration may go on, and how many processes may run its
// schedules, itself included. A time of 0 says that there is none. Left is how long
// a failure that is found in it may be reduced, at most, from the turn's beginning on;
// 0 is for as long as that takes.
type Turn struct {
	Time, Left time.Duration
	Processes  int
}

// OpenTurns opens the pipe that [Request].Turns names. There is no turn before
// the first call of Next.
func OpenTurns(path string) (*Turns, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Turns{file: f, from: child.Lines(f, nil)}, nil
}

// Processes is how many processes may run schedules in the turn, this one
// included.
func (t *Turns) Processes() int { return t.now.Processes }

// Over reports whether the turn is over.
func (t *Turns) Over() bool { return !time.Now().Before(t.end) }

// Last reports whether the time is over for what was found, too.
func (t *Turns) Last() bool { return !t.last.IsZero() && !time.Now().Before(t.last) }

// Next waits for the next turn. It reports false if there is to be none: the
// exploration ends with what it has.
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

// FirstTime is how long the first schedule of a test may take, of the time that is left for
// it and others: of one that takes longer there would be few schedules, and none of the
// others if there are several.
func FirstTime(left time.Duration) time.Duration {
	const part, usual = 8, 5 * time.Second
	return min(left/2, max(left/part, usual))
}
