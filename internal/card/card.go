package card

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Errors about cards. Each is wrapped with what was got and what was wanted.
var (
	// ErrCard: the string is not a card, or not a whole one.
	ErrCard = errors.New("not a card")
	// ErrFormat: it is a card, but of another version of this package. The
	// error matches ErrCard too.
	ErrFormat = errors.New("a card of another format")
	// ErrOtherTest: the card belongs to another body.
	ErrOtherTest = errors.New("the card is from another test")
)

// A Card is a schedule that can be replayed: the deviations from the default
// one, and all else that decides an execution. It says so twice: by numbers,
// which are exact and good for one program, and by words, which say the same of
// a program that has changed. See cardtext.go for how it is written.
type Card struct {
	Test       uint32   // of Config.Name
	Program    uint32   // of the executable
	Toolchain  cardWord // that built it
	Kind       engine.Kind
	Cause      uint32 // of the failure; see execution.cause
	Seed       uint64
	End        uint32 // of the execution's hash
	Decisions  int    // of the whole execution
	People     []Person
	Memory     []Access
	Observers  engine.Observers     // see there
	Deviations []schedule.Deviation // hash is not kept
	Stall      time.Duration        // for how long goroutines might be held up, if they could be
	Anchors    []Anchor             // one for each deviation
}

// A cardWord is a piece of text in a card, or, where the card would become long, no
// more than its hash.
type cardWord struct {
	Text string
	sum  uint32
}

func WordOf(text string) cardWord { return cardWord{Text: text, sum: NameID(text)} }

// is reports whether the word stands for text.
func (w cardWord) is(text string) bool { return w.sum == NameID(text) }

// A Person is a goroutine that a card speaks of.
type Person struct {
	Name cardWord
	path []int // it is the path[n]-th child, from 1, of … of the body's path[0]-th child; of a timer's if that is 0
}

// An Access is a plain memory access that was a scheduling point.
type Access struct {
	PC       uintptr
	Function cardWord
}

// An Anchor says at what operation of which goroutine a deviation was, and
// which goroutine was run then.
type Anchor struct {
	Who      int // in card.people; -1 at the start of the execution
	state    engine.PositionState
	Op       cardWord
	Function cardWord
	object   int // number of the operation's object; 0 if it has none
	// How often the goroutine had come to such a place, from 1: of this
	// operation in this function on this object; in this function; anywhere.
	onObject, inFunction, anywhere int
	step                           int // of the goroutine, from 1
	target                         int // in card.people
}

// Points are the exact addresses of a card's memory accesses.
func (c *Card) Points() []uintptr {
	var pcs []uintptr
	for _, a := range c.Memory {
		pcs = append(pcs, a.PC)
	}
	return pcs
}

// ThisToolchain is what built this program.
func ThisToolchain() string {
	return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// CheckTest reports whether the card is for this body.
func (c *Card) CheckTest(name string) error {
	if got, want := c.Test, NameID(name); got != want {
		return fmt.Errorf("explore: %w: got one for %08x, want %08x, which is %q", ErrOtherTest, got, want, name)
	}
	return nil
}

func NameID(name string) uint32 {
	sum := sha256.Sum256([]byte(name))
	return binary.BigEndian.Uint32(sum[:])
}

// ProgramID identifies the running executable by its contents.
var ProgramID = sync.OnceValues(func() (uint32, error) {
	exe, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("explore: %w", err)
	}
	print, err := executable.Fingerprint(exe)
	if err != nil {
		return 0, fmt.Errorf("explore: %w", err)
	}
	return NameID(print), nil
})

// CheckCard reports whether text is a whole card, without saying of what. The
// error matches [ErrCard].
func CheckCard(text string) error {
	_, err := ParseCard(text)
	return err
}

func Abbreviate(s string) string {
	if len(s) > 24 {
		s = strings.ToValidUTF8(s[:24], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
