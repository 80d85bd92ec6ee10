package command

import (
	"bytes"
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// Nothing is printed within the first second; then a line at once, and again every five seconds
// while there is news.
func TestScreenLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := NewScreen("jacquard", &out)
		shows := func(want string) {
			t.Helper()
			synctest.Wait()
			s.mu.Lock()
			defer s.mu.Unlock()
			if got := out.String(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			out.Reset()
		}
		s.Say("building")
		time.Sleep(patience - time.Nanosecond)
		shows("")
		time.Sleep(time.Nanosecond)
		shows("jacquard: building…\n")

		st := s.Count("cells", 3)
		st.At("R1/ours: 7 schedules")
		time.Sleep(lineEvery - time.Nanosecond)
		shows("")
		st.Done("R1/ours")
		time.Sleep(time.Nanosecond)
		shows("jacquard: cells 1 of 3 · R1/ours done…\n")
		time.Sleep(time.Hour)
		shows("")

		st.At("R2/ours: 7 schedules")
		shows("jacquard: cells 1 of 3 · R2/ours: 7 schedules…\n")
		st.At("R2/ours: 8 schedules")
		s.Clear()
		time.Sleep(time.Hour)
		shows("")

		st = s.Count("R4/suggested", 1)
		shows("jacquard: R4/suggested…\n") // at once, because it is overdue
		st.At("9 schedules")
		time.Sleep(lineEvery)
		shows("jacquard: R4/suggested · 9 schedules…\n")
		s.Clear()
	})
}

// Work that ends within a second prints nothing.
func TestScreenQuick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := NewScreen("jacquard", &out)
		s.Say("building")
		s.Count("canaries", 10).Done("a")
		time.Sleep(patience - time.Nanosecond)
		s.Clear()
		time.Sleep(time.Hour)
		synctest.Wait()
		s.Clear()
		if out.Len() > 0 {
			t.Errorf("got %q, want nothing", out.String())
		}
	})
}

// On a terminal there is one line, which is cleared at the end.
func TestScreenTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := NewScreen("jacquard", &out)
		s.terminal, s.every = true, terminalEvery
		s.Say("building")
		time.Sleep(patience)
		synctest.Wait()
		s.Say("linking")
		time.Sleep(terminalEvery)
		synctest.Wait()
		s.Clear()
		s.Clear()
		if got, want := out.String(), clearLine+"building…"+clearLine+"linking…"+clearLine; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestColoured(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("did not run: it needs a pseudo-terminal")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		noColor, term string
		want          bool
	}{
		{"", "xterm-256color", true},
		{"", "", true},
		{"1", "xterm-256color", false},
		{"0", "xterm-256color", false}, // NO_COLOR counts with any value
		{"", "dumb", false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.term)
		if got := Coloured(terminal); got != c.want {
			t.Errorf("NO_COLOR=%q TERM=%q: got %t, want %t", c.noColor, c.term, got, c.want)
		}
		if Coloured(file) || Coloured(new(bytes.Buffer)) {
			t.Errorf("NO_COLOR=%q TERM=%q: colour in a file", c.noColor, c.term)
		}
	}
}
