package fuzz

// Tape reads an input as a sequence of choices. At its end every choice is the first one. A Tape is for one goroutine.
type Tape struct{ rest []byte }

// NewTape returns a tape of an input, which it does not change.
func NewTape(input []byte) *Tape { return &Tape{input} }

// More reports whether there is something left.
func (t *Tape) More() bool { return len(t.rest) > 0 }

// Byte returns the next byte.
func (t *Tape) Byte() byte {
	if len(t.rest) == 0 {
		return 0
	}
	b := t.rest[0]
	t.rest = t.rest[1:]
	return b
}

// Below returns a number from 0 to n-1; n is at least 1, and at most 256.
func (t *Tape) Below(n int) int { return int(t.Byte()) % n }

// Flag returns true in one of two cases.
func (t *Tape) Flag() bool { return t.Byte()%2 == 1 }

// Seldom returns true in one of sixteen cases.
func (t *Tape) Seldom() bool { return t.Byte()%16 == 15 }

// Text returns one of the usual texts, or one that the tape spells out.
func (t *Tape) Text(usual ...string) string {
	n := t.Below(len(usual) + 1)
	if n < len(usual) {
		return usual[n]
	}
	length := min(t.Below(32), len(t.rest))
	text := string(t.rest[:length])
	t.rest = t.rest[length:]
	return text
}

// Pick returns one of all.
func Pick[T any](t *Tape, all ...T) T { return all[t.Below(len(all))] }
