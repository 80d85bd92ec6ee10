package child

import (
	"os"
	"time"
)

// A Silent is the cause of an end: the child said nothing for so long.
type Silent time.Duration

func (s Silent) Error() string {
	return "it said nothing for " + time.Duration(s).String()
}

// An Exit is how a child ended.
type Exit struct {
	State *os.ProcessState // nil if nobody could find out
	Err   error            // why not
	Cause error            // why it was ended from here; nil if it was not
	Words string           // its last words; "" if they went elsewhere
}

// OK reports whether it ended by itself, and well.
func (e Exit) OK() bool { return e.Cause == nil && e.State != nil && e.State.Success() }

// String is the state in words, such as "exit status 2" or "signal: killed".
func (e Exit) String() string {
	if e.State == nil {
		return e.Err.Error()
	}
	return e.State.String()
}
