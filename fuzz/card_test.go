package fuzz_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/fuzz"
)

// FuzzCard reads cards: of any text only a whole card, written as cards are, is accepted; and one that was, with a character lost,
// changed or added, no more.
func FuzzCard(f *testing.F) {
	f.Add("", []byte{})
	f.Add("jq1-", []byte("a card of three deviations and some of its memory"))
	f.Add("jq1-AAAA", []byte{7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 2, 1, 2, 3, 4})
	for _, input := range inputs(8) {
		f.Add(" "+written(fuzz.NewTape(input))+"\n", input)
	}
	f.Fuzz(func(t *testing.T, text string, input []byte) {
		accepts(t, text)
		tape := fuzz.NewTape(input)
		card := written(tape)
		if err := explore.CheckCard(card); err != nil {
			t.Fatalf("%q: got %v, want a whole card", card, err)
		}
		for _, spoilt := range []string{spoil(tape, card), lastBit(card), longer(card)} {
			if err := explore.CheckCard(spoilt); !errors.Is(err, explore.ErrCard) && strings.TrimSpace(spoilt) != card {
				t.Fatalf("%q, which was %q: got %v, want ErrCard", spoilt, card, err)
			}
		}
	})
}

// accepts checks that a text is accepted only if it is written as its card would be.
func accepts(t *testing.T, text string) {
	t.Helper()
	err := explore.CheckCard(text)
	if err != nil {
		if !errors.Is(err, explore.ErrCard) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%q: got error %v, want ErrCard in a line", text, err)
		}
		return
	}
	if want := rewritten(text); strings.TrimSpace(text) != want {
		t.Fatalf("%q is accepted, and that card is written %q", text, want)
	}
}

// The format of a card, once more: a kind, three sums, then numbers of variable length: the seed, how many decisions there are, how many
// accesses, the accesses as differences, how many deviations, and each as the distance to it and two numbers; then a checksum.

// written is a card with fields from the tape.
func written(tape *fuzz.Tape) string {
	b := []byte{byte(1 + tape.Below(7))}
	for range 12 {
		b = append(b, tape.Byte())
	}
	accesses, deviations := tape.Below(4), tape.Below(6)
	b = binary.AppendUvarint(b, uint64(tape.Byte())<<(8*tape.Below(8)))
	b = binary.AppendUvarint(b, 1000)
	b = binary.AppendUvarint(b, uint64(accesses))
	for range accesses {
		b = binary.AppendVarint(b, int64(int8(tape.Byte()))*1001)
	}
	b = binary.AppendUvarint(b, uint64(deviations))
	for range deviations {
		b = binary.AppendUvarint(b, uint64(1+tape.Below(150)))
		b = binary.AppendUvarint(b, uint64(tape.Byte()))
		b = binary.AppendUvarint(b, uint64(tape.Byte())*0x10101)
	}
	return sealed(b)
}

// sealed adds the checksum and writes all as text.
func sealed(b []byte) string {
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return "jq1-" + base64.RawURLEncoding.EncodeToString(b)
}

// rewritten reads a card with all leniency and writes it again. It is empty if a number is out of its range.
func rewritten(text string) string {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(strings.TrimSpace(text), "jq1-"))
	if err != nil || len(raw) < 17 {
		return ""
	}
	r := bytes.NewReader(raw[13 : len(raw)-4])
	b := bytes.Clone(raw[:13])
	number := func(limit uint64) uint64 {
		n, err := binary.ReadUvarint(r)
		if err != nil || n > limit {
			b = nil
			return 0
		}
		b = binary.AppendUvarint(b, n)
		return n
	}
	number(math.MaxUint64)
	decisions := number(math.MaxInt)
	for n := number(uint64(r.Len())); n > 0; n-- {
		delta, _ := binary.ReadVarint(r)
		b = binary.AppendVarint(b, delta)
	}
	for n := number(uint64(r.Len())); n > 0; n-- {
		number(decisions)
		number(math.MaxInt)
		number(math.MaxUint32)
	}
	if b == nil || r.Len() > 0 {
		return ""
	}
	return sealed(b)
}

// lastBit changes the last bit of the last letter, which may be one that says nothing.
func lastBit(card string) string {
	end := len(card) - 1
	return card[:end] + string(letters[strings.IndexByte(letters, card[end])^1])
}

// longer is a card with one byte too many, and the checksum of that.
func longer(card string) string {
	raw, _ := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(card, "jq1-")) // it was written here
	return sealed(append(raw[:len(raw)-4], 0))
}

// letters are what a card is written in.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// spoil changes one character of a card, or takes it away, or adds one that a copy may add.
func spoil(tape *fuzz.Tape, card string) string {
	i := (int(tape.Byte())<<8 + int(tape.Byte())) % len(card)
	if tape.Seldom() {
		i = len(card) - 1
	}
	letter := string(letters[tape.Below(len(letters))])
	switch tape.Below(5) {
	case 0:
		return card[:i] + card[i+1:]
	case 1:
		return card[:i] + letter + card[i:]
	case 2:
		return card[:i+1]
	case 3:
		return card[:i] + fuzz.Pick(tape, "\n", "\r\n", " ", "=", "+", "\x00") + card[i:]
	}
	return card[:i] + letter + card[i+1:]
}
