package fuzz_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/fuzz"
)

// FuzzCard reads cards. It accepts a text only if it is a whole card in the form in which cards are written. After one character
// is lost, changed or added it refuses the card.
func FuzzCard(f *testing.F) {
	f.Add("", []byte{})
	f.Add("jq1-", []byte("a card of three deviations and some of its memory"))
	f.Add("jq2-AAAA", []byte{7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 2, 1, 2, 3, 4})
	for _, input := range inputs(8) {
		f.Add(" "+written(fuzz.NewTape(input))+"\n", input)
	}
	f.Fuzz(func(t *testing.T, text string, input []byte) {
		accepts(t, text)
		accepts(t, sealed(input)) // any bytes, with a right checksum
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

// accepts checks that a text is accepted only if its card is written in the same way.
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
		t.Fatalf("got %q accepted, want ErrCard: the card is written %q", text, want)
	}
}

// The format of a card, written independently: a kind, four sums; the words, the toolchain first; then numbers of variable length: the
// seed, the number of decisions, the goroutines with their names and descents, the accesses as differences with their functions, and the
// deviations, each with the distance to it, the choice, and its anchor; then a checksum.

// fixed is how many bytes come before the words.
const fixed = 17

// A writer writes a card. Words are listed in the order of their first use.
type writer struct {
	head, body []byte
	words      []string // as they are written, with their lengths
}

func (w *writer) number(n uint64) { w.body = binary.AppendUvarint(w.body, n) }

func (w *writer) word(text string) {
	i := slices.Index(w.words, text)
	if i < 0 {
		i, w.words = len(w.words), append(w.words, text)
	}
	w.number(uint64(i))
}

// sealed joins the parts and adds the checksum.
func (w *writer) sealed() string {
	b := binary.AppendUvarint(bytes.Clone(w.head), uint64(len(w.words)))
	for _, word := range w.words {
		b = append(b, word...)
	}
	return sealed(append(b, w.body...))
}

// aWord returns a word in its written form: letters outside any phrase, a phrase, a non-ASCII letter, or a hash.
func aWord(tape *fuzz.Tape) string {
	text := ""
	switch tape.Below(4) {
	case 0:
		return "\x00" + string([]byte{tape.Byte(), tape.Byte(), tape.Byte(), tape.Byte()})
	case 1:
		text = string([]byte{0x80 + byte(tape.Below(100))})
	case 2:
		text = "\x7f\xc3\x7f\xa4"
	default:
		for range 1 + tape.Below(40) {
			text += fuzz.Pick(tape, "q", "Q", "Z", "j", "0", "7")
		}
	}
	return string([]byte{byte(len(text))}) + text
}

// written returns a card with fields from the tape.
func written(tape *fuzz.Tape) string {
	w := &writer{head: []byte{byte(1 + tape.Below(7))}}
	for range fixed - 1 {
		w.head = append(w.head, tape.Byte())
	}
	w.words = []string{aWord(tape)}
	w.number(uint64(tape.Byte()) << (8 * tape.Below(8)))
	w.number(1000)
	people, accesses, deviations := 1+tape.Below(3), tape.Below(4), tape.Below(6)
	w.number(uint64(people))
	for range people {
		w.word(aWord(tape))
		depth := tape.Below(3)
		w.number(uint64(depth))
		for range depth {
			w.number(uint64(tape.Byte()))
		}
	}
	w.number(uint64(accesses))
	for range accesses {
		w.body = binary.AppendVarint(w.body, int64(int8(tape.Byte()))*1001)
		w.word(aWord(tape))
	}
	w.number(uint64(deviations))
	for range deviations {
		for _, n := range []uint64{uint64(1 + tape.Below(150)), uint64(tape.Byte()), uint64(tape.Byte()) * 0x10101, uint64(tape.Below(people + 1)), uint64(tape.Below(4))} {
			w.number(n)
		}
		w.word(aWord(tape))
		w.word(aWord(tape))
		for range 5 {
			w.number(uint64(tape.Byte()))
		}
		w.number(uint64(tape.Below(people)))
	}
	return w.sealed()
}

// sealed adds the checksum and encodes the card as text.
func sealed(b []byte) string {
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return "jq2-" + base64.RawURLEncoding.EncodeToString(b)
}

// A reader reads a card without checks, and writes it again.
type reader struct {
	in    *bytes.Reader
	out   writer
	words []string
	bad   bool
}

func (r *reader) number(limit uint64) uint64 {
	n, err := binary.ReadUvarint(r.in)
	r.bad = r.bad || err != nil || n > limit
	if r.bad {
		return 0
	}
	return n
}

// copy copies one number for each limit and returns the last.
func (r *reader) copy(limits ...uint64) (last uint64) {
	for _, limit := range limits {
		last = r.number(limit)
		r.out.number(last)
	}
	return last
}

func (r *reader) word() {
	if i := r.number(uint64(len(r.words) - 1)); !r.bad {
		r.out.word(r.words[i])
	}
}

func (r *reader) readWord() {
	n := r.number(uint64(r.in.Len()))
	length := string(binary.AppendUvarint(nil, n))
	if n == 0 {
		n = 4
	}
	text := make([]byte, n)
	got, _ := r.in.Read(text)
	r.bad = r.bad || got < int(n)
	r.words = append(r.words, length+string(text))
}

// rewritten reads a card without checks and writes it again. It returns "" if a number is out of range.
func rewritten(text string) string {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(strings.TrimSpace(text), "jq2-"))
	if err != nil || len(raw) < fixed+4 {
		return ""
	}
	r := &reader{in: bytes.NewReader(raw[fixed : len(raw)-4]), out: writer{head: bytes.Clone(raw[:fixed])}}
	for n := r.number(uint64(r.in.Len())); n > 0 && !r.bad; n-- {
		r.readWord()
	}
	if r.bad || len(r.words) == 0 {
		return ""
	}
	r.out.words = r.words[:1]
	const any = math.MaxInt32
	r.copy(math.MaxUint64, any)
	people := r.copy(any)
	for n := people; n > 0 && !r.bad; n-- {
		r.word()
		for depth := r.copy(any); depth > 0 && !r.bad; depth-- {
			r.copy(any)
		}
	}
	for n := r.copy(any); n > 0 && !r.bad; n-- {
		delta, _ := binary.ReadVarint(r.in)
		r.out.body = binary.AppendVarint(r.out.body, delta)
		r.word()
	}
	for n := r.copy(any); n > 0 && !r.bad; n-- {
		r.copy(any, any, any, people, 3)
		r.word()
		r.word()
		r.copy(any, any, any, any, any, people-1)
	}
	if r.bad || r.in.Len() > 0 {
		return ""
	}
	return r.out.sealed()
}

// lastBit flips the last bit of the last letter, which may be an unused bit.
func lastBit(card string) string {
	end := len(card) - 1
	return card[:end] + string(letters[strings.IndexByte(letters, card[end])^1])
}

// longer returns a card with one byte too many, and the checksum for it.
func longer(card string) string {
	raw, _ := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(card, "jq2-")) // this test wrote the card
	return sealed(append(raw[:len(raw)-4], 0))
}

// letters are the characters of a card's text.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// spoil changes, removes or adds one character of a card, also one that copying may add, or cuts the card there.
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
