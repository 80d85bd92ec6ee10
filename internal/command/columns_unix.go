//go:build unix

package command

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Columns is the width of the terminal that out is; 0 if it is none, or does not say.
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
