package programs

import "github.com/jacquard-go/jacquard/explore"

// counting models a counter; a call adds and returns the sum.
func counting() explore.Model[int64, int64, int64] {
	return explore.Model[int64, int64, int64]{
		Step: func(sum, d int64) (int64, int64) { return sum + d, sum + d },
	}
}

// A RegisterCall writes a value, or reads if the value is 0.
type RegisterCall int

func (c RegisterCall) String() string {
	if c == 0 {
		return "Read()"
	}
	return "Write(" + string('0'+rune(c)) + ")"
}

// Register models a variable; a write returns the value that it has written.
func Register() explore.Model[int, RegisterCall, int] {
	return explore.Model[int, RegisterCall, int]{
		Step: func(v int, c RegisterCall) (int, int) {
			if c != 0 {
				v = int(c)
			}
			return v, v
		},
	}
}

// A QueueCall pushes a value, or pops if the value is 0.
type QueueCall int

func (c QueueCall) String() string {
	if c == 0 {
		return "Pop()"
	}
	return "Push(" + string('0'+rune(c)) + ")"
}

// Queue is first in, first out. A pop from the empty queue returns 0.
func Queue() explore.Model[string, QueueCall, int] {
	return explore.Model[string, QueueCall, int]{
		Step: func(q string, c QueueCall) (string, int) {
			switch {
			case c != 0:
				return q + string('0'+rune(c)), int(c)
			case q == "":
				return q, 0
			}
			return q[1:], int(q[0] - '0')
		},
	}
}

// A MapCall sets a key, or gets it if the value is 0.
type MapCall struct {
	Key   string
	Value int
}

// Keyed models one key of a map; a set returns the value that it has set.
func Keyed() explore.Model[int, MapCall, int] {
	return explore.Model[int, MapCall, int]{
		Step: func(v int, c MapCall) (int, int) {
			if c.Value != 0 {
				v = c.Value
			}
			return v, v
		},
		Partition: func(c MapCall) string { return c.Key },
		Describe: func(c MapCall) string {
			if c.Value == 0 {
				return "Get(" + c.Key + ")"
			}
			return "Set(" + c.Key + ", " + string('0'+rune(c.Value)) + ")"
		},
	}
}
