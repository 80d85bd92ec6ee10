package child

import (
	"os"
	"os/exec"
	"strings"
)

// The file descriptors of a child's messages with [Options].Beside.
const (
	fromParent = 3
	toParent   = 4
)

// Beside returns the connection to the parent in a process that was started with
// [Options].Beside. Call it once, before this process starts other processes: they must
// not inherit the descriptors.
func Beside(wire Wire) *Conn {
	keepFromChildren(fromParent)
	keepFromChildren(toParent)
	return wire(os.NewFile(fromParent, "from the parent process"), os.NewFile(toParent, "to the parent process"))
}

// Again returns a command that runs this test binary again, once and without a time
// limit, for the tests that match pattern, with the arguments of this process except
// package testing's.
func Again(pattern string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"-test.run=" + pattern, "-test.count=1", "-test.timeout=0"}
	for _, arg := range os.Args[1:] {
		if !strings.HasPrefix(arg, "-test.") && !strings.HasPrefix(arg, "--test.") {
			args = append(args, arg)
		}
	}
	return exec.Command(self, args...), nil
}
