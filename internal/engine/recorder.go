package engine

import "github.com/jacquard-go/jacquard/internal/control"

// A Recorder is told what an execution does, step by step. It may ask the
// execution, and changes nothing.
type Recorder interface {
	// Before is called when m is about to do what it has announced. It reports
	// whether after is wanted.
	Before(ex *Execution, m *control.Task) bool
	// After is called when m has done it.
	After(ex *Execution, m *control.Task)
	Shows() bool // somebody will read it, and so what happens may take longer
	// Log adds a line that the program wrote; see host.
	Log(task uint32, text string, kind LogKind) *string
}
