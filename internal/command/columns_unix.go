//go:build unix

package command

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Columns returns the width of the terminal out; 0 if it is not one, or its width is not known.
func Columns(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
