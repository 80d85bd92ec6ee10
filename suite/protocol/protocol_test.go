package protocol_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// The last word counts, and what was cut off by a death is none.
func TestLastEvent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events")
	if e, ok := protocol.LastEvent(path); ok {
		t.Errorf("got %+v of a process that never began", e)
	}
	var events bytes.Buffer
	write := func() {
		t.Helper()
		if err := os.WriteFile(path, events.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	send := func(e protocol.Event) {
		t.Helper()
		if err := child.Lines(nil, &events).Send(e); err != nil {
			t.Fatal(err)
		}
	}
	send(protocol.Event{Test: "TestA", Begin: true})
	write()
	if e, ok := protocol.LastEvent(path); ok {
		t.Errorf("got %+v of a test that has only begun", e)
	}
	send(protocol.Event{Test: "TestA", Verdict: "unknown"})
	send(protocol.Event{Test: "TestA", Verdict: "holds"})
	events.WriteString(`{"Test":"TestA","Verd`)
	write()
	if e, ok := protocol.LastEvent(path); !ok || e.Verdict != "holds" {
		t.Errorf("got %+v, %t, want the one that holds", e, ok)
	}
}
