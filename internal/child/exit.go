package child

import (
	"os"
	"time"
)

// A Silent is a cause of an end: the child said nothing for that long.
type Silent time.Duration

func (s Silent) Error() string {
	return "it said nothing for " + time.Duration(s).String()
}

// An Exit is how a child ended.
type Exit struct {
	State *os.ProcessState // nil if it could not be determined
	Err   error            // why State is nil
	Cause error            // why this process ended it; nil if it ended by itself
	Words string           // its last words; "" if they went elsewhere
}

// OK reports whether it ended by itself and successfully.
func (e Exit) OK() bool { return e.Cause == nil && e.State != nil && e.State.Success() }

// String describes the state, such as "exit status 2" or "signal: killed".
func (e Exit) String() string {
	if e.State == nil {
		return e.Err.Error()
	}
	return e.State.String()
}
