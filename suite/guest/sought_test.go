package guest_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A search for a panic ends with it.
func TestSoughtPanic(t *testing.T) {
	s := protocol.Sought{Kind: "panic", Message: "somebody else was quicker"}
	q := protocol.Request{Mode: protocol.Explore, Schedules: 300, Seek: &s}
	if e := start(t, q, only("TestPanics")).of(t, "TestPanics"); e.Kind != "panic" || !e.Same {
		t.Errorf("got %s, %s, %q, want the panic", e.Verdict, e.Kind, e.Message)
	}
}
