package explore

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// Errors about cards. Each is wrapped with what was got and what was wanted.
var (
	// ErrCard: the string is not a card, or not a whole one.
	ErrCard = errors.New("not a card")
	// ErrOtherTest: the card belongs to another body.
	ErrOtherTest = errors.New("the card is from another test")
	// ErrOtherProgram: the program has changed since the card was made.
	ErrOtherProgram = errors.New("the card is from another build of the program")
	// ErrDiverged: the execution did not follow the card.
	ErrDiverged = errors.New("the execution diverged from the card")
)

// cardPrefix marks a card and its format.
const cardPrefix = "jq1-"

// A card is a schedule that can be replayed: the deviations from the default
// one, and all else that decides an execution.
type card struct {
	test       uint32 // of Config.Name
	program    uint32 // of the executable
	kind       Kind
	seed       uint64
	end        uint32 // of the execution's hash
	decisions  int    // of the whole execution
	memory     []uintptr
	deviations []deviation // hash is not kept
}

func (c *card) String() string {
	b := []byte{byte(kindNumber(c.kind))}
	b = binary.BigEndian.AppendUint32(b, c.test)
	b = binary.BigEndian.AppendUint32(b, c.program)
	b = binary.BigEndian.AppendUint32(b, c.end)
	b = binary.AppendUvarint(b, c.seed)
	b = binary.AppendUvarint(b, uint64(c.decisions))
	b = binary.AppendUvarint(b, uint64(len(c.memory)))
	last := textBase
	for _, pc := range c.memory {
		b = binary.AppendVarint(b, int64(pc)-int64(last))
		last = pc
	}
	b = binary.AppendUvarint(b, uint64(len(c.deviations)))
	at := 0
	for _, d := range c.deviations {
		b = binary.AppendUvarint(b, uint64(d.at-at))
		b = binary.AppendUvarint(b, uint64(d.choice.Index))
		b = binary.AppendUvarint(b, uint64(d.choice.Case))
		at = d.at
	}
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return cardPrefix + base64.RawURLEncoding.EncodeToString(b)
}

// parseCard reads a card strictly: every byte must be accounted for.
func parseCard(s string) (*card, error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(s), cardPrefix)
	if !ok {
		return nil, fmt.Errorf("%w: got %s, want it to begin with %q", ErrCard, abbreviate(s), cardPrefix)
	}
	if strings.ContainsAny(text, "\r\n") { // which the decoder would pass over
		return nil, fmt.Errorf("%w: %s: got more than one line", ErrCard, abbreviate(s))
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrCard, abbreviate(s), err)
	}
	if len(b) < 17 {
		return nil, fmt.Errorf("%w: %s: got %d bytes, want at least 17", ErrCard, abbreviate(s), len(b))
	}
	sum := binary.BigEndian.Uint32(b[len(b)-4:])
	b = b[:len(b)-4]
	if got := crc32.ChecksumIEEE(b); got != sum {
		return nil, fmt.Errorf("%w: %s: checksum: got %08x, want %08x; a character is missing or wrong", ErrCard, abbreviate(s), got, sum)
	}
	c, err := decodeCard(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrCard, abbreviate(s), err)
	}
	return c, nil
}

func decodeCard(b []byte) (*card, error) {
	if int(b[0]) >= len(kinds) || b[0] == 0 {
		return nil, fmt.Errorf("unknown kind of failure %d", b[0])
	}
	c := &card{kind: kinds[b[0]]}
	c.test = binary.BigEndian.Uint32(b[1:])
	c.program = binary.BigEndian.Uint32(b[5:])
	c.end = binary.BigEndian.Uint32(b[9:])
	r := bytes.NewReader(b[13:])
	var bad error
	number := func() uint64 {
		n, err := binary.ReadUvarint(r)
		bad = errors.Join(bad, err)
		return n
	}
	next := func() int {
		n := number()
		if n > math.MaxInt32 {
			bad = errors.Join(bad, fmt.Errorf("got %d, want at most %d", n, math.MaxInt32))
		}
		return int(n)
	}
	c.seed = number()
	c.decisions = next()
	last := int64(textBase)
	for n := next(); n > 0 && bad == nil; n-- {
		delta, err := binary.ReadVarint(r)
		bad = errors.Join(bad, err)
		last += delta
		c.memory = append(c.memory, uintptr(last))
	}
	at := 0
	for n := next(); n > 0 && bad == nil; n-- {
		at += next()
		c.deviations = append(c.deviations, deviation{at: at, choice: Choice{Index: next(), Case: uint32(next())}})
	}
	if bad == nil && r.Len() != 0 {
		bad = fmt.Errorf("%d bytes too many", r.Len())
	}
	return c, bad
}

// card describes an execution of x.
func (x *explorer) card(ex *execution, seed uint64) (*card, error) {
	program, err := programID()
	if err != nil {
		return nil, err
	}
	c := &card{
		test: nameID(x.cfg.Name), program: program, kind: ex.out.kind, seed: seed,
		end: uint32(ex.digest() >> 32), decisions: len(ex.run), memory: x.memory,
	}
	c.deviations = deviations(ex.run)
	return c, nil
}

// deviations extracts what was not chosen by default.
func deviations(run []Decision) []deviation {
	var all []deviation
	for i, d := range run {
		if d.Deviates() {
			all = append(all, deviation{at: i, choice: d.Chosen, hash: d.hash})
		}
	}
	return all
}

// check reports whether the card is for this body in this program.
func (c *card) check(name string) error {
	if got, want := c.test, nameID(name); got != want {
		return fmt.Errorf("explore: %w: got one for %08x, want %08x, which is %q", ErrOtherTest, got, want, name)
	}
	program, err := programID()
	if err != nil {
		return err
	}
	if c.program != program {
		return fmt.Errorf("explore: %w: got one for %08x, this is %08x; explore again to get a card for it", ErrOtherProgram, c.program, program)
	}
	return nil
}

// A follower replays a card. It is strict: what the card says must be
// possible at the decision it says it for.
type follower struct {
	card *card
	at   int
	err  error
}

func (f *follower) Pick(p *Point) Choice {
	if f.at < len(f.card.deviations) {
		if d := f.card.deviations[f.at]; d.at == p.Index {
			f.at++
			if d.choice.Index < len(p.Runnable) {
				return d.choice
			}
			f.err = fmt.Errorf("decision %d: got %d goroutines that can run, want at least %d", p.Index, len(p.Runnable), d.choice.Index+1)
		}
	}
	return Choice{Index: p.Default()}
}

// done compares the end of the replay with the card.
func (f *follower) done(ex *execution) error {
	switch {
	case f.err != nil:
	case ex.out.unknown != "":
		f.err = errors.New(ex.out.unknown)
	case len(ex.run) != f.card.decisions:
		f.err = fmt.Errorf("got %d decisions, want %d", len(ex.run), f.card.decisions)
	case uint32(ex.digest()>>32) != f.card.end:
		f.err = fmt.Errorf("got an execution that ends in %08x, want %08x", uint32(ex.digest()>>32), f.card.end)
	case ex.out.kind != f.card.kind:
		f.err = fmt.Errorf("got %q (%s), want %q", ex.out.kind, ex.out.message, f.card.kind)
	}
	if f.err != nil {
		return fmt.Errorf("explore: %w: %v", ErrDiverged, f.err)
	}
	return nil
}

func kindNumber(k Kind) int {
	for i, known := range kinds {
		if known == k {
			return i
		}
	}
	return 0
}

func nameID(name string) uint32 {
	sum := sha256.Sum256([]byte(name))
	return binary.BigEndian.Uint32(sum[:])
}

// programID identifies the running executable by its contents.
var programID = sync.OnceValues(func() (uint32, error) {
	exe, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("explore: %w", err)
	}
	print, err := toolchain.Fingerprint(exe)
	if err != nil {
		return 0, fmt.Errorf("explore: %w", err)
	}
	return nameID(print), nil
})

func abbreviate(s string) string {
	if len(s) > 24 {
		s = s[:24] + "…"
	}
	return fmt.Sprintf("%q", s)
}

// CheckCard reports whether text is a whole card, without saying of what. The
// error matches [ErrCard].
func CheckCard(text string) error {
	_, err := parseCard(text)
	return err
}
