package explore

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strings"
)

// cardPrefix marks a card and its format.
const cardPrefix = "jq2-"

// otherPrefix recognises cards of other formats.
var otherPrefix = regexp.MustCompile(`^jq\d+-`)

// A card is written as base64 of
//
//	kind                                      1 byte
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
//	checksum                                  4 bytes
//
// where a number without a size is a varint. There is one way to write a card,
// and no other is read.
const (
	fixedBytes    = 17
	checksumBytes = 4
	// wordsRoom is how long a card may become for the sake of words in full.
	wordsRoom = 196
)

func (c *card) String() string {
	text := c.write()
	for len(text) > wordsRoom && c.shorten() {
		text = c.write()
	}
	return text
}

// shorten replaces the longest word by its hash, if that helps.
func (c *card) shorten() bool {
	longest := ""
	c.eachWord(func(w *cardWord) {
		if len(squeeze(w.text)) > max(len(squeeze(longest)), checksumBytes) {
			longest = w.text
		}
	})
	if longest == "" {
		return false
	}
	c.eachWord(func(w *cardWord) {
		if w.text == longest {
			w.text = ""
		}
	})
	return true
}

// eachWord visits every word but the toolchain.
func (c *card) eachWord(visit func(*cardWord)) {
	for i := range c.people {
		visit(&c.people[i].name)
	}
	for i := range c.memory {
		visit(&c.memory[i].function)
	}
	for i := range c.anchors {
		visit(&c.anchors[i].op)
		visit(&c.anchors[i].function)
	}
}

func (c *card) write() string {
	b := []byte{byte(kindNumber(c.kind))}
	for _, n := range []uint32{c.test, c.program, c.cause, c.end} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	words := []cardWord{c.toolchain}
	c.eachWord(func(w *cardWord) {
		if !slices.Contains(words, *w) {
			words = append(words, *w)
		}
	})
	b = appendWords(b, words)
	b = binary.AppendUvarint(b, c.seed)
	b = appendNumbers(b, c.decisions, len(c.people))
	for _, p := range c.people {
		b = appendNumbers(b, slices.Index(words, p.name), len(p.path))
		b = appendNumbers(b, p.path...)
	}
	b = appendNumbers(b, len(c.memory))
	last := textBase
	for _, a := range c.memory {
		b = binary.AppendVarint(b, int64(a.pc)-int64(last))
		b = appendNumbers(b, slices.Index(words, a.function))
		last = a.pc
	}
	b = appendNumbers(b, len(c.deviations))
	at := 0
	for i, d := range c.deviations {
		b = appendNumbers(b, d.at-at, d.choice.Index, int(d.choice.Case))
		b = c.anchors[i].append(b, words)
		at = d.at
	}
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return cardPrefix + base64.RawURLEncoding.EncodeToString(b)
}

func (a *anchor) append(b []byte, words []cardWord) []byte {
	return appendNumbers(b, a.who+1, int(a.state), slices.Index(words, a.op), slices.Index(words, a.function),
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
		short := squeeze(w.text)
		b = appendNumbers(b, len(short))
		b = append(b, short...)
		if len(short) == 0 {
			b = binary.BigEndian.AppendUint32(b, w.sum)
		}
	}
	return b
}

// parseCard reads a card strictly: every byte must be accounted for.
func parseCard(s string) (*card, error) {
	s = strings.TrimSpace(s)
	text, ok := strings.CutPrefix(s, cardPrefix)
	if !ok {
		if other := otherPrefix.FindString(s); other != "" {
			return nil, fmt.Errorf("%w: %w: got %q, want it to begin with %q; explore again to get a new one", ErrCard, ErrFormat, other, cardPrefix)
		}
		return nil, fmt.Errorf("%w: got %s, want it to begin with %q", ErrCard, abbreviate(s), cardPrefix)
	}
	if strings.ContainsAny(text, "\r\n") { // which the decoder would pass over
		return nil, fmt.Errorf("%w: %s: got more than one line", ErrCard, abbreviate(s))
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrCard, abbreviate(s), err)
	}
	if least := fixedBytes + checksumBytes; len(b) < least {
		return nil, fmt.Errorf("%w: %s: got %d bytes, want at least %d", ErrCard, abbreviate(s), len(b), least)
	}
	sum := binary.BigEndian.Uint32(b[len(b)-checksumBytes:])
	b = b[:len(b)-checksumBytes]
	if got := crc32.ChecksumIEEE(b); got != sum {
		return nil, fmt.Errorf("%w: %s: checksum: got %08x, want %08x; a character is missing or wrong", ErrCard, abbreviate(s), got, sum)
	}
	c, err := decodeCard(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrCard, abbreviate(s), err)
	}
	if c.write() != s {
		return nil, fmt.Errorf("%w: %s: got a card that is not written as cards are", ErrCard, abbreviate(s))
	}
	return c, nil
}
