package guest_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// A test that is run without control after all can lock a file that it has left
// locked under control.
func TestDiscoveryUnlocks(t *testing.T) {
	t.Setenv("LOCKS_AT", filepath.Join(t.TempDir(), "lock"))
	r := discover(t, "-test.run=^TestLocks$")
	if e := r.of(t, "TestLocks"); e.Verdict != "unknown" || !strings.Contains(e.Reason, "went well without control") {
		t.Errorf("got %+v\n%s", e, r.output)
	}
}
