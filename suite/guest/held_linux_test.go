package guest_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// A test that locked a file under control can lock it again when it is then run without
// control.
func TestDiscoveryUnlocks(t *testing.T) {
	t.Setenv("LOCKS_AT", filepath.Join(t.TempDir(), "lock"))
	r := discover(t, "-test.run=^TestLocks$")
	if e := r.of(t, "TestLocks"); e.Verdict != "unknown" || !strings.Contains(e.Reason, "passed without control") {
		t.Errorf("got %+v, want unknown: it passed without control\n%s", e, r.output)
	}
}
