package card

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// cardPrefix marks a card and the version of its format.
const cardPrefix = "jq2-"

// otherPrefix recognises cards of any format.
var otherPrefix = regexp.MustCompile(`^jq\d+-`)

// A card is written as base64 of
//
//	kind, and the program's observers         1 byte: the lower half and the upper
//	test, program, cause, end                 4 bytes each
//	words, the toolchain first                count, then each its length in phrases and
//	                                          the phrases, or 0 and a hash of 4 bytes
//	seed, decisions
//	people                                    count, then each its name's word, the length of
//	                                          its path, and the path
//	memory                                    count, then each the distance from the last one
//	                                          and its function's word
//	deviations                                count, then each the distance from the last one,
//	                                          the choice, and its anchor
//	stall                                     unless it is 0
//	checksum                                  4 bytes
//
// where a number without a size is a varint. Each card has exactly one encoding; others
// are rejected.
const (
	fixedBytes    = 17
	checksumBytes = 4
	// wordsRoom is the length, in characters, up to which a card keeps its words as text.
	wordsRoom = 196
)

func (c *Card) String() string {
	text := c.write()
	for len(text) > wordsRoom && c.shorten() {
		text = c.write()
	}
	return text
}

// shorten replaces the longest word by its hash, if that makes the card shorter.
func (c *Card) shorten() bool {
	longest, length := "", checksumBytes
	seen := make(map[string]bool) // anchors repeat the same few words
	c.eachWord(func(w *cardWord) {
		if seen[w.Text] {
			return
		}
		seen[w.Text] = true
		if n := len(squeeze(w.Text)); n > length {
			longest, length = w.Text, n
		}
	})
	if longest == "" {
		return false
	}
	c.eachWord(func(w *cardWord) {
		if w.Text == longest {
			w.Text = ""
		}
	})
	return true
}

// eachWord visits every word except the toolchain.
func (c *Card) eachWord(visit func(*cardWord)) {
	for i := range c.People {
		visit(&c.People[i].Name)
	}
	for i := range c.Memory {
		visit(&c.Memory[i].Function)
	}
	for i := range c.Anchors {
		visit(&c.Anchors[i].Op)
		visit(&c.Anchors[i].Function)
	}
}

// firstObservers is how many observers are encoded beside the kind. laterObservers
// more, which were added later, are at the end of a card that has any.
const firstObservers, laterObservers = 4, 7

func (c *Card) write() string {
	b := []byte{byte(engine.KindNumber(c.Kind)) | byte(c.Observers)<<firstObservers}
	for _, n := range []uint32{c.Test, c.Program, c.Cause, c.End} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	words := []cardWord{c.Toolchain}
	c.eachWord(func(w *cardWord) {
		if !slices.Contains(words, *w) {
			words = append(words, *w)
		}
	})
	b = appendWords(b, words)
	b = binary.AppendUvarint(b, c.Seed)
	b = appendNumbers(b, c.Decisions, len(c.People))
	for _, p := range c.People {
		b = appendNumbers(b, slices.Index(words, p.Name), len(p.path))
		b = appendNumbers(b, p.path...)
	}
	b = appendNumbers(b, len(c.Memory))
	last := source.TextBase
	for _, a := range c.Memory {
		b = binary.AppendVarint(b, int64(a.PC)-int64(last))
		b = appendNumbers(b, slices.Index(words, a.Function))
		last = a.PC
	}
	b = appendNumbers(b, len(c.Deviations))
	at := 0
	for i, d := range c.Deviations {
		b = appendNumbers(b, d.At-at, d.Choice.Index, int(d.Choice.Case))
		b = c.Anchors[i].append(b, words)
		at = d.At
	}
	later := c.Observers >> firstObservers
	if c.Stall > 0 || later != 0 {
		b = binary.AppendUvarint(b, uint64(c.Stall))
	}
	if later != 0 {
		b = append(b, byte(later))
	}
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return cardPrefix + base64.RawURLEncoding.EncodeToString(b)
}

func (a *Anchor) append(b []byte, words []cardWord) []byte {
	return appendNumbers(b, a.Who+1, int(a.state), slices.Index(words, a.Op), slices.Index(words, a.Function),
		a.object, a.onObject, a.inFunction, a.anywhere, a.step, a.target)
}

func appendNumbers(b []byte, numbers ...int) []byte {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func appendWords(b []byte, words []cardWord) []byte {
	b = appendNumbers(b, len(words))
	for _, w := range words {
		short := squeeze(w.Text)
		b = appendNumbers(b, len(short))
		b = append(b, short...)
		if len(short) == 0 {
			b = binary.BigEndian.AppendUint32(b, w.sum)
		}
	}
	return b
}

// ParseCard reads a card strictly: every byte must be accounted for.
func ParseCard(s string) (*Card, error) {
	s = strings.TrimSpace(s)
	text, ok := strings.CutPrefix(s, cardPrefix)
	if !ok {
		if other := otherPrefix.FindString(s); other != "" {
			return nil, fmt.Errorf("%w: %w: got %q, want it to begin with %q; explore again to get a new one", ErrCard, ErrFormat, other, cardPrefix)
		}
		return nil, fmt.Errorf("%w: got %s, want it to begin with %q", ErrCard, Abbreviate(s), cardPrefix)
	}
	if strings.ContainsAny(text, "\r\n") { // the decoder would skip these
		return nil, fmt.Errorf("%w: %s: got more than one line", ErrCard, Abbreviate(s))
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v; a character is missing or wrong", ErrCard, Abbreviate(s), err)
	}
	if least := fixedBytes + checksumBytes; len(b) < least {
		return nil, fmt.Errorf("%w: %s: got %d bytes, want at least %d", ErrCard, Abbreviate(s), len(b), least)
	}
	sum := binary.BigEndian.Uint32(b[len(b)-checksumBytes:])
	b = b[:len(b)-checksumBytes]
	if got := crc32.ChecksumIEEE(b); got != sum {
		return nil, fmt.Errorf("%w: %s: checksum: got %08x, want %08x; a character is missing or wrong", ErrCard, Abbreviate(s), got, sum)
	}
	c, err := decodeCard(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrCard, Abbreviate(s), err)
	}
	if c.write() != s {
		return nil, fmt.Errorf("%w: %s: got a card that is not written as cards are", ErrCard, Abbreviate(s))
	}
	return c, nil
}
