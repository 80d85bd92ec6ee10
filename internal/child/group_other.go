//go:build !unix

package child

import (
	"errors"
	"os"
	"os/exec"
)

// Without process groups only the process itself is killed.

func place(*exec.Cmd, bool, bool) {}

func makePipe(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "mkfifo", Path: path, Err: errors.ErrUnsupported}
}

func killGroup(p *os.Process) error { return p.Kill() }

func keepFromChildren(int) {}
