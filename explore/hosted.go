package explore

import "testing"

// hosted reports whether the test that calls is itself one schedule of many, as
// in jacquard test, and tells whoever runs it that it explores by itself: there
// is nothing left to do, for the test is run once more without control. The
// method is added to package testing by the overlay.
//
// Rejected: a variable in the environment. Whatever the test starts would inherit it.
func hosted(tb testing.TB) bool {
	host, ok := tb.(interface{ JacquardExplores() bool })
	return ok && host.JacquardExplores()
}
