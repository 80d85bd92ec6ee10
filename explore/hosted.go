package explore

import "testing"

// hosted reports whether the calling test is itself one schedule of jacquard test, and
// tells that command that the test explores by itself. The caller then has nothing to
// do, because the command runs the test once more without control. The overlay adds the
// method to package testing.
//
// Rejected: an environment variable. Processes that the test starts would inherit it.
func hosted(tb testing.TB) bool {
	host, ok := tb.(interface{ JacquardExplores() bool })
	return ok && host.JacquardExplores()
}
