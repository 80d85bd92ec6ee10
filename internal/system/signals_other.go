//go:build !linux

package system

// SignalUnderWay reports whether the kernel has a signal for this process that no
// thread has taken yet; here nobody says.
func SignalUnderWay() bool { return false }
