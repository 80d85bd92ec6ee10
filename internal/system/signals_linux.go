package system

import (
	"bytes"
	"os"
)

// SignalUnderWay reports whether the kernel has a signal for this process that no thread
// has handled yet, because it is blocked or the thread waits for a processor.
func SignalUnderWay() bool { return signalUnderWay("self") }

func signalUnderWay(process string) bool {
	status, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return false
	}
	_, mask, found := bytes.Cut(status, []byte("\nShdPnd:\t"))
	mask, _, _ = bytes.Cut(mask, []byte("\n"))
	return found && len(bytes.Trim(mask, "0")) > 0
}
