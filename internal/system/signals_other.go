//go:build !linux

package system

// SignalUnderWay reports whether the kernel has a signal for this process that no
// thread has handled yet. On this system that is not known.
func SignalUnderWay() bool { return false }
