package card

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A cardReader reads the bytes of a card. After the first error it reads no
// more.
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

// number reads a number that must not exceed most.
func (r *cardReader) number(most int) int {
	n := r.unsigned()
	if n > uint64(most) {
		r.fail(fmt.Errorf("got %d, want at most %d", n, most))
		return 0
	}
	return int(n)
}

// any reads a number that is only bounded by its size.
func (r *cardReader) any() int { return r.number(math.MaxInt32) }

// each reads a count, and calls read so many times. Every element takes at least one
// byte, so a count that is too large soon reaches the end.
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
	r.words = append(r.words, WordOf(text))
}

// word reads a reference to a word.
func (r *cardReader) word() cardWord {
	i := r.number(len(r.words) - 1)
	if r.err != nil {
		return cardWord{}
	}
	return r.words[i]
}

func decodeCard(b []byte) (*Card, error) {
	kind := b[0] & 15
	if int(kind) >= len(engine.Kinds) || kind == 0 {
		return nil, fmt.Errorf("unknown kind of failure %d", kind)
	}
	c := &Card{Kind: engine.Kinds[kind], Observers: engine.Observers(b[0] >> firstObservers)}
	for i, field := range []*uint32{&c.Test, &c.Program, &c.Cause, &c.End} {
		*field = binary.BigEndian.Uint32(b[1+4*i:])
	}
	r := &cardReader{in: bytes.NewReader(b[fixedBytes:])}
	r.each(r.readWord)
	if len(r.words) == 0 {
		r.fail(fmt.Errorf("got no toolchain, want one"))
		return nil, r.err
	}
	c.Toolchain = r.words[0]
	c.Seed = r.unsigned()
	c.Decisions = r.any()
	r.each(func() {
		p := Person{Name: r.word()}
		r.each(func() { p.path = append(p.path, r.any()) })
		c.People = append(c.People, p)
	})
	last := int64(source.TextBase)
	r.each(func() {
		last += r.signed()
		c.Memory = append(c.Memory, Access{PC: uintptr(last), Function: r.word()})
	})
	at := 0
	r.each(func() {
		at += r.any()
		c.Deviations = append(c.Deviations, schedule.Deviation{At: at, Choice: schedule.Choice{Index: r.any(), Case: uint32(r.any())}})
		c.Anchors = append(c.Anchors, r.anchor(len(c.People)))
	})
	if r.err == nil && r.in.Len() != 0 {
		c.Stall = time.Duration(r.unsigned())
		later := r.observers()
		if c.Observers |= later; (c.Stall < 0 || c.Stall == 0 && later == 0) && r.err == nil {
			r.fail(fmt.Errorf("got stalls of %v, want more than 0", c.Stall))
		}
	}
	if r.err == nil && r.in.Len() != 0 {
		r.fail(fmt.Errorf("%d bytes too many", r.in.Len()))
	}
	return c, r.err
}

// observers reads the observers without a place in the first byte, if there are any.
func (r *cardReader) observers() engine.Observers {
	if r.err != nil || r.in.Len() == 0 {
		return 0
	}
	b := r.bytes(1)
	if len(b) == 0 {
		return 0
	}
	if b[0] == 0 || b[0] >= 1<<laterObservers {
		r.fail(fmt.Errorf("got observers %d, want 1 to %d", b[0], 1<<laterObservers-1))
		return 0
	}
	return engine.Observers(b[0]) << firstObservers
}

func (r *cardReader) anchor(people int) Anchor {
	return Anchor{
		Who: r.number(people) - 1, state: engine.PositionState(r.number(len(engine.PositionStates) - 1)), Op: r.word(), Function: r.word(),
		object: r.any(), onObject: r.any(), inFunction: r.any(), anywhere: r.any(), step: r.any(),
		target: r.number(people - 1),
	}
}
