package command

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

// MinWidth is the least number of columns that a timeline needs.
const MinWidth = 40

// clearLine takes the cursor to the left and empties the line.
const clearLine = "\r\x1b[K"

// A Screen shows progress, if there is time to read it: on a terminal one line
// that is overwritten, elsewhere a line now and then, which ends in … as what
// is not over. It is safe for concurrent use.
type Screen struct {
	name     string // of the command
	out      io.Writer
	terminal bool
	every    time.Duration

	mu    sync.Mutex
	text  string      // the latest
	due   time.Time   // when it may be written
	timer *time.Timer // will write it; nil if all has been written
	drawn bool        // there is a line to take away
}

// NewScreen is a screen of the command with that name.
func NewScreen(name string, out io.Writer) *Screen {
	s := &Screen{name: name, out: out, terminal: IsTerminal(out), every: lineEvery, due: time.Now().Add(patience)}
	if s.terminal {
		s.every = terminalEvery
	}
	return s
}

// IsTerminal reports whether somebody sees what is written to out at once.
func IsTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Coloured reports whether out wants colour: a terminal, unless NO_COLOR is
// set (no-color.org) or the terminal is a dumb one.
func Coloured(out io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(out)
}

// Say tells what is being done.
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
		return // cleared meanwhile
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

// Clear ends the progress: nothing is written after it until the next Say.
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

// A Stage is n parts of the same kind. It needs a lock of its user's.
type Stage struct {
	s    *Screen
	what string
	n    int
	did  int
}

// At tells where within a part the work is.
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
