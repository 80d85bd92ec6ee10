package timeline

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Mark says what is special about a step. Marks are bits and may be
// combined: the step that completes a lost update is often Conflict|Preempted.
type Mark uint8

// The marks. Preempted and Stopped are the two ends of a preemption; either
// alone is enough to show it, and both together show it once. Stopped is the
// only one possible if the thread never ran again.
const (
	// Conflict: the step is one of those whose order decides the outcome.
	Conflict Mark = 1 << iota
	// Preempted: the thread was stopped before this step although it could
	// have gone on, and other threads ran in between.
	Preempted
	// Failed: the step that failed.
	Failed
	// Stopped: the thread was stopped after this step although it could have
	// gone on, and the thread of the next step ran instead.
	Stopped
)

// None is no mark.
const None Mark = 0

// markNames are in the order of the bits.
var markNames = [...]string{"conflict", "preempted", "failed", "stopped"}

// Has reports whether m contains every mark of other.
func (m Mark) Has(other Mark) bool { return m&other == other }

// String returns the marks joined by "+", as in "conflict+preempted", or
// "none".
func (m Mark) String() string {
	if names := m.names(); len(names) > 0 {
		return strings.Join(names, "+")
	}
	return "none"
}

func (m Mark) names() []string {
	names := []string{}
	for i, name := range markNames {
		if m.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// MarshalJSON writes an array of names, as in ["conflict","preempted"].
func (m Mark) MarshalJSON() ([]byte, error) { return json.Marshal(m.names()) }

// UnmarshalJSON reads what MarshalJSON writes. A name it does not know is an
// error.
func (m *Mark) UnmarshalJSON(data []byte) error {
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		return fmt.Errorf("marks: %w", err)
	}
	*m = None
	for _, name := range names {
		bit, err := markNamed(name)
		if err != nil {
			return err
		}
		*m |= bit
	}
	return nil
}

func markNamed(name string) (Mark, error) {
	for i, known := range markNames {
		if name == known {
			return 1 << i, nil
		}
	}
	return None, fmt.Errorf("marks: got %q, want one of %s", name, strings.Join(markNames[:], ", "))
}
