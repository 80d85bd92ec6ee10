//go:build !unix

package command

import "io"

// Columns returns 0 where the width of a terminal is not known.
func Columns(io.Writer) int { return 0 }
