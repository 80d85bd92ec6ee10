package child

import (
	"os"
	"os/exec"
	"strings"
)

// The descriptors of a child's messages with [Options].Beside.
const (
	fromParent = 3
	toParent   = 4
)

// Beside is what a process that was started with [Options].Beside talks to its
// parent by. Call it once, before this process starts another one: those must not
// hold the descriptors.
func Beside(wire Wire) *Conn {
	keepFromChildren(fromParent)
	keepFromChildren(toParent)
	return wire(os.NewFile(fromParent, "from the parent process"), os.NewFile(toParent, "to the parent process"))
}

// Again is a command that runs this test binary again: once, without a limit of
// time, for the tests that a pattern chooses, and with the arguments that are not
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
