package program

import (
	"fmt"
	"strings"
)

// An Edit changes one line of a kernel.
type Edit struct {
	Line     int
	From, To string // From occurs exactly once
}

// With returns the kernel with edits to its text, none of which adds or removes a
// line. The error says which edit does not apply: another Go release may have
// another text.
func (k Kernel) With(edits ...Edit) (Kernel, error) {
	lines := strings.Split(k.Text, "\n")
	for _, e := range edits {
		if e.Line < 1 || e.Line > len(lines) {
			return k, fmt.Errorf("%s: got %d lines, want line %d", k.File, len(lines), e.Line)
		}
		line := &lines[e.Line-1]
		if n := strings.Count(*line, e.From); n != 1 || strings.Contains(e.To, "\n") {
			return k, fmt.Errorf("%s:%d: got %q with %q %d times, want it once", k.File, e.Line, *line, e.From, n)
		}
		*line = strings.Replace(*line, e.From, e.To, 1)
	}
	k.Text, k.Loop = strings.Join(lines, "\n"), nil
	return k, nil
}
