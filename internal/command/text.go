package command

import (
	"fmt"
	"strings"
)

// OneLine joins the lines of a text, and replaces tabs, which would break columns.
func OneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), "\t", " ")
}

// Plural formats a number of things.
func Plural[N int | int64](n N, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "s"):
		return fmt.Sprintf("%d %ses", n, thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
