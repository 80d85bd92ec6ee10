package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
)

// How long a command may run without a word, and how often it then says how
// far it is.
const (
	patience      = time.Second
	lineEvery     = 5 * time.Second
	terminalEvery = 100 * time.Millisecond
)

// clearLine takes the cursor to the left and empties the line.
const clearLine = "\r\x1b[K"

// A screen shows progress, if there is time to read it: on a terminal one line
// that is overwritten, elsewhere a line now and then, which ends in … as what
// is not over. It is safe for concurrent use.
type screen struct {
	out      io.Writer
	terminal bool
	every    time.Duration

	mu    sync.Mutex
	text  string      // the latest
	due   time.Time   // when it may be written
	timer *time.Timer // will write it; nil if all has been written
	drawn bool        // there is a line to take away
}

func newScreen(out io.Writer) *screen {
	s := &screen{out: out, terminal: isTerminal(out), every: lineEvery, due: time.Now().Add(patience)}
	if s.terminal {
		s.every = terminalEvery
	}
	return s
}

func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// coloured reports whether out wants colour: a terminal, unless NO_COLOR is
// set (no-color.org) or the terminal is a dumb one.
func coloured(out io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(out)
}

// say tells what is being done.
func (s *screen) say(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = what
	if s.timer == nil {
		s.timer = time.AfterFunc(time.Until(s.due), s.write)
	}
}

// write writes the latest text.
func (s *screen) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer == nil {
		return // cleared meanwhile
	}
	s.timer = nil
	s.due = time.Now().Add(s.every)
	if s.terminal {
		s.drawn = true
		fmt.Fprintf(s.out, "%s%s…", clearLine, s.text)
		return
	}
	fmt.Fprintf(s.out, "jacquard: %s…\n", s.text)
}

// clear ends the progress: nothing is written after it until the next say.
func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.drawn {
		fmt.Fprint(s.out, clearLine)
		s.drawn = false
	}
}

// count begins a stage of n parts.
func (s *screen) count(what string, n int) *stage {
	st := &stage{s: s, what: what, n: n}
	st.at("")
	return st
}

// A stage is n parts of the same kind. It needs a lock of its user's.
type stage struct {
	s    *screen
	what string
	n    int
	did  int
}

// at tells where within a part the work is.
func (st *stage) at(where string) {
	text := st.what
	if st.n > 1 {
		text += fmt.Sprintf(" %d of %d", st.did, st.n)
	}
	if where != "" {
		text += " · " + where
	}
	st.s.say(text)
}

// done ends a part.
func (st *stage) done(part string) {
	st.did++
	st.at(part + " done")
}
