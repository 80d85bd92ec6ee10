package protocol

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// Turns are how an exploration gets its time, and the number of processes that it may
// use, from the command, which divides its own among the tests: one turn after the
// other, as long as the exploration still meets what is new. In between the process
// waits, between two schedules. For use by one goroutine, which is under nobody's
// control.
type Turns struct {
	from      io.ReadCloser
	lines     *bufio.Reader
	end       time.Time
	processes int
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

// Processes is how many processes may run schedules in the turn, this one
// included.
func (t *Turns) Processes() int { return t.processes }

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
	length, processes, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	d, err := time.ParseDuration(length)
	if err != nil {
		return false, fmt.Errorf("a turn: %w", err)
	}
	if t.processes, err = strconv.Atoi(processes); err != nil || t.processes < 1 {
		return false, fmt.Errorf("a turn: got %q, want a time and a number of processes", line)
	}
	t.end = time.Now().Add(d)
	return d > 0, nil
}

// Close closes the pipe.
func (t *Turns) Close() error { return t.from.Close() }

// Grant gives the process that reads a pipe another turn, in which so many
// processes may run schedules, itself included; a time of 0 says that there is
// none.
func Grant(pipe io.Writer, d time.Duration, processes int) error {
	_, err := fmt.Fprintln(pipe, d, processes)
	return err
}
