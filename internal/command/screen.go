package command

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
)

// How long a command may run without output, and how often it then reports its progress.
const (
	patience      = time.Second
	lineEvery     = 5 * time.Second
	terminalEvery = 100 * time.Millisecond
)

// MinWidth is the least number of columns that a timeline needs.
const MinWidth = 40

// clearLine moves the cursor to the left and empties the line.
const clearLine = "\r\x1b[K"

// A Screen shows progress that lasts long enough to be read: on a terminal as one line that is
// overwritten, elsewhere as a line now and then. The line ends in … because the work goes on. A
// Screen is safe for concurrent use.
type Screen struct {
	name     string // the command's
	out      io.Writer
	terminal bool
	every    time.Duration

	mu    sync.Mutex
	text  string      // the latest text
	due   time.Time   // when text may be written
	timer *time.Timer // will write text; nil if all has been written
	drawn bool        // there is a line to clear
}

// NewScreen returns a screen for the command with that name.
func NewScreen(name string, out io.Writer) *Screen {
	s := &Screen{name: name, out: out, terminal: IsTerminal(out), every: lineEvery, due: time.Now().Add(patience)}
	if s.terminal {
		s.every = terminalEvery
	}
	return s
}

// IsTerminal reports whether out is a terminal.
func IsTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Coloured reports whether out wants colours: it is a terminal, NO_COLOR is not set (no-color.org),
// and the terminal is not a dumb one.
func Coloured(out io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(out)
}

// Say sets the text about the present work.
func (s *Screen) Say(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = what
	if s.timer == nil {
		s.timer = time.AfterFunc(time.Until(s.due), s.write)
	}
}

// write writes the latest text.
func (s *Screen) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer == nil {
		return // it was cleared meanwhile
	}
	s.timer = nil
	s.due = time.Now().Add(s.every)
	if s.terminal {
		s.drawn = true
		fmt.Fprintf(s.out, "%s%s…", clearLine, s.text)
		return
	}
	fmt.Fprintf(s.out, "%s: %s…\n", s.name, s.text)
}

// Clear ends the progress: nothing is written until the next Say.
func (s *Screen) Clear() {
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

// Count begins a stage of n parts.
func (s *Screen) Count(what string, n int) *Stage {
	st := &Stage{s: s, what: what, n: n}
	st.At("")
	return st
}

// A Stage is n parts of the same kind. Its user must synchronise calls.
type Stage struct {
	s    *Screen
	what string
	n    int
	did  int
}

// At reports where within a part the work is.
func (st *Stage) At(where string) {
	text := st.what
	if st.n > 1 {
		text += fmt.Sprintf(" %d of %d", st.did, st.n)
	}
	if where != "" {
		text += " · " + where
	}
	st.s.Say(text)
}

// Done ends a part.
func (st *Stage) Done(part string) {
	st.did++
	st.At(part + " done")
}
