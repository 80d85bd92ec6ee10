package explore

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// A cardReader reads the bytes of a card. After the first thing that is wrong
// it reads no more.
type cardReader struct {
	in    *bytes.Reader
	words []cardWord
	err   error
}

func (r *cardReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *cardReader) unsigned() uint64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.in)
	if err != nil {
		r.fail(fmt.Errorf("a number is cut short: %w", err))
	}
	return n
}

func (r *cardReader) signed() int64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadVarint(r.in)
	if err != nil {
		r.fail(fmt.Errorf("a number is cut short: %w", err))
	}
	return n
}

// number reads one that is at most most.
func (r *cardReader) number(most int) int {
	n := r.unsigned()
	if n > uint64(most) {
		r.fail(fmt.Errorf("got %d, want at most %d", n, most))
		return 0
	}
	return int(n)
}

// any reads a number of which only the size is known.
func (r *cardReader) any() int { return r.number(math.MaxInt32) }

// each reads a count, and what is counted. Everything takes a byte at least, so
// a count that is too large comes to the end soon.
func (r *cardReader) each(read func()) {
	for n := r.number(r.in.Len()); n > 0 && r.err == nil; n-- {
		read()
	}
}

func (r *cardReader) bytes(n int) []byte {
	b := make([]byte, n)
	if got, _ := r.in.Read(b); got < n {
		r.fail(fmt.Errorf("got %d bytes, want %d", got, n))
	}
	return b
}

func (r *cardReader) readWord() {
	n := r.number(r.in.Len())
	if r.err != nil {
		return
	}
	if n == 0 {
		r.words = append(r.words, cardWord{sum: binary.BigEndian.Uint32(r.bytes(4))})
		return
	}
	text, err := unsqueeze(r.bytes(n))
	if err != nil {
		r.fail(err)
	}
	r.words = append(r.words, wordOf(text))
}

// word reads a reference to one.
func (r *cardReader) word() cardWord {
	i := r.number(len(r.words) - 1)
	if r.err != nil {
		return cardWord{}
	}
	return r.words[i]
}

func decodeCard(b []byte) (*card, error) {
	if int(b[0]) >= len(kinds) || b[0] == 0 {
		return nil, fmt.Errorf("unknown kind of failure %d", b[0])
	}
	c := &card{kind: kinds[b[0]]}
	for i, field := range []*uint32{&c.test, &c.program, &c.cause, &c.end} {
		*field = binary.BigEndian.Uint32(b[1+4*i:])
	}
	r := &cardReader{in: bytes.NewReader(b[fixedBytes:])}
	r.each(r.readWord)
	if len(r.words) == 0 {
		r.fail(fmt.Errorf("got no toolchain, want one"))
		return nil, r.err
	}
	c.toolchain = r.words[0]
	c.seed = r.unsigned()
	c.decisions = r.any()
	r.each(func() {
		p := person{name: r.word()}
		r.each(func() { p.path = append(p.path, r.any()) })
		c.people = append(c.people, p)
	})
	last := int64(textBase)
	r.each(func() {
		last += r.signed()
		c.memory = append(c.memory, access{pc: uintptr(last), function: r.word()})
	})
	at := 0
	r.each(func() {
		at += r.any()
		c.deviations = append(c.deviations, deviation{at: at, choice: Choice{Index: r.any(), Case: uint32(r.any())}})
		c.anchors = append(c.anchors, r.anchor(len(c.people)))
	})
	if r.err == nil && r.in.Len() != 0 {
		r.fail(fmt.Errorf("%d bytes too many", r.in.Len()))
	}
	return c, r.err
}

func (r *cardReader) anchor(people int) anchor {
	return anchor{
		who: r.number(people) - 1, state: placeState(r.number(len(placeStates) - 1)), op: r.word(), function: r.word(),
		object: r.any(), onObject: r.any(), inFunction: r.any(), anywhere: r.any(), step: r.any(),
		target: r.number(people - 1),
	}
}
