package guest_test

import (
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/guest"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Under a debugger a step may take days. Otherwise the explorer's own bound applies.
func TestWatchdog(t *testing.T) {
	for debug, least := range map[bool]time.Duration{false: 0, true: 24 * time.Hour} {
		got, err := guest.Watchdog(protocol.Request{Mode: protocol.Replay, Debug: debug})
		if err != nil || got < least || least == 0 && got != 0 {
			t.Errorf("debug: %t: got %v, %v, want at least %v", debug, got, err, least)
		}
	}
}
