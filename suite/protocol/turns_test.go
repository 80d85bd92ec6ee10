package protocol_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
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
	for i, d := range []time.Duration{time.Hour, 0, time.Hour} {
		if err := child.Lines(nil, &pipe).Send(protocol.Turn{Time: d, Processes: i + 3}); err != nil {
			t.Fatal(err)
		}
	}
	granted := turns(t, pipe.String())
	if !granted.Over() {
		t.Error("there is a turn before the first was granted")
	}
	for i, want := range []struct{ more, over bool }{{true, false}, {false, true}} {
		more, err := granted.Next()
		if err != nil || more != want.more || granted.Over() != want.over || granted.Processes() != i+3 {
			t.Errorf("turn %d: got %t, %v, over: %t, %d processes; want %t, over: %t, %d processes", i+1, more, err, granted.Over(), granted.Processes(), want.more, want.over, i+3)
		}
	}
}

func TestTurnsEnd(t *testing.T) {
	if more, err := turns(t, "").Next(); more || err != nil {
		t.Errorf("got %t, %v, want the end", more, err)
	}
	for _, garbled := range []string{"soon\n", `{"Time":1,"Processes":2`, `{"Time":1}`, `{"Time":1,"Processes":0}`, `{"Time":"1s","Processes":2}`} {
		if more, err := turns(t, garbled).Next(); more || err == nil {
			t.Errorf("%q: got %t, %v, want an error", garbled, more, err)
		}
	}
}
