package command

import (
	"fmt"
	"io"
)

// Fit returns the columns of a report on out: those asked for, or else those of the terminal, or a
// default.
func Fit(asked int, out io.Writer, usual int) int {
	if asked > 0 {
		return asked
	}
	if columns := Columns(out); columns > 0 {
		return max(columns, MinWidth)
	}
	return usual
}

// CheckWidth refuses a width that is too narrow for a report.
func CheckWidth(asked int, given bool) error {
	if given && asked < MinWidth {
		return fmt.Errorf("-width: got %d, want at least %d", asked, MinWidth)
	}
	return nil
}
