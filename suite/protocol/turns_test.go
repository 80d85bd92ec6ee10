package protocol_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// turns are those that a pipe holds.
func turns(t *testing.T, text string) *protocol.Turns {
	t.Helper()
	path := filepath.Join(t.TempDir(), "turns")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	turns, err := protocol.OpenTurns(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := turns.Close(); err != nil {
			t.Error(err)
		}
	})
	return turns
}

func TestTurns(t *testing.T) {
	var pipe bytes.Buffer
	for _, d := range []time.Duration{time.Hour, 0, time.Hour} {
		if err := protocol.Grant(&pipe, d); err != nil {
			t.Fatal(err)
		}
	}
	granted := turns(t, pipe.String())
	if !granted.Over() {
		t.Error("there is a turn before the first was granted")
	}
	for i, want := range []struct{ more, over bool }{{true, false}, {false, true}} {
		more, err := granted.Next()
		if err != nil || more != want.more || granted.Over() != want.over {
			t.Errorf("turn %d: got %t, %v, over: %t; want %t, over: %t", i+1, more, err, granted.Over(), want.more, want.over)
		}
	}
}

func TestTurnsEnd(t *testing.T) {
	if more, err := turns(t, "").Next(); more || err != nil {
		t.Errorf("got %t, %v, want the end", more, err)
	}
	for _, garbled := range []string{"soon\n", "1s"} {
		if more, err := turns(t, garbled).Next(); more || err == nil {
			t.Errorf("%q: got %t, %v, want an error", garbled, more, err)
		}
	}
}
