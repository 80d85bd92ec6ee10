package protocol

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Turns are how an exploration gets its time from the command, which divides
// its own among the tests: one turn after the other, as long as the exploration
// still meets what is new. In between the process waits, between two schedules.
// For use by one goroutine, which is under nobody's control.
type Turns struct {
	from  io.ReadCloser
	lines *bufio.Reader
	end   time.Time
}

// OpenTurns opens the pipe that [Request].Turns names. There is no turn before
// the first call of Next.
func OpenTurns(path string) (*Turns, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Turns{from: f, lines: bufio.NewReader(f)}, nil
}

// Over reports whether the turn is over.
func (t *Turns) Over() bool { return !time.Now().Before(t.end) }

// Next waits for the next turn. It reports false if there is to be none: the
// exploration ends with what it has.
func (t *Turns) Next() (bool, error) {
	line, err := t.lines.ReadString('\n')
	if err == io.EOF && line == "" {
		return false, nil
	} else if err != nil {
		return false, err
	}
	d, err := time.ParseDuration(strings.TrimSpace(line))
	if err != nil {
		return false, fmt.Errorf("a turn: %w", err)
	}
	t.end = time.Now().Add(d)
	return d > 0, nil
}

// Close closes the pipe.
func (t *Turns) Close() error { return t.from.Close() }

// Grant gives the process that reads a pipe another turn; 0 says that there is
// none.
func Grant(pipe io.Writer, d time.Duration) error {
	_, err := fmt.Fprintln(pipe, d)
	return err
}
