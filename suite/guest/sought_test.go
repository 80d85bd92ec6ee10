package guest_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A search for a panic ends when it has found it.
func TestSoughtPanic(t *testing.T) {
	s := protocol.Sought{Kind: "panic", Message: "somebody else was quicker"}
	q := protocol.Request{Mode: protocol.Explore, Schedules: 300, Seek: &s}
	if e := start(t, q, only("TestPanics")).of(t, "TestPanics"); e.Kind != "panic" || !e.Same {
		t.Errorf("got %s, %s, %q, want the panic", e.Verdict, e.Kind, e.Message)
	}
}

// The search is directed at the lines that the log of the failure names. So it needs fewer
// schedules for a test that also does much else.
func TestSoughtPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	needed := func(s protocol.Sought) (n int) {
		for seed := range uint64(5) {
			e := start(t, protocol.Request{Mode: protocol.Explore, Seed: seed + 1, Schedules: 400, Seek: &s}, only("TestCrowded")).of(t, "TestCrowded")
			if e.Kind != "check" || !e.Same {
				t.Errorf("got %s, %s, %q, want the check", e.Verdict, e.Kind, e.Message)
			}
			n += e.Schedule
		}
		return n
	}
	plain, directed := needed(protocol.Sought{Kind: "check"}), needed(protocol.Sought{Kind: "check", Lines: []string{"crowded_test.go:32"}})
	if directed >= plain {
		t.Errorf("got %d schedules with the line of the check, want fewer than the %d without it", directed, plain)
	}
}

// A data race in every schedule does not hide the failure that is sought.
func TestSoughtBehindRace(t *testing.T) {
	s := protocol.Sought{Kind: "panic", Message: "send on closed channel"}
	q := protocol.Request{Mode: protocol.Explore, Schedules: 100, Seek: &s}
	if e := start(t, q, only("TestClosesTooSoon")).of(t, "TestClosesTooSoon"); e.Kind != "panic" || !e.Same || e.Card == "" {
		t.Errorf("got %s, %s, %q, want the panic", e.Verdict, e.Kind, e.Message)
	}
}
