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
	// ErrCard: the string is not a card, or is incomplete.
	ErrCard = errors.New("not a card")
	// ErrFormat: the card was made by another version of this package. The error
	// matches ErrCard too.
	ErrFormat = errors.New("a card of another format")
	// ErrOtherTest: the card belongs to another body.
	ErrOtherTest = errors.New("the card is from another test")
)

// A Card is a schedule that can be replayed: the deviations from the default schedule,
// and everything else that determines an execution. It describes the deviations twice:
// by numbers, which are exact for one program, and by words, which also apply to a
// changed program. See text.go for the format.
type Card struct {
	Test       uint32   // hash of Config.Name
	Program    uint32   // identifies the executable; see ProgramID
	Toolchain  cardWord // that built the program
	Kind       engine.Kind
	Cause      uint32 // hash of the failure's cause; see [engine.Execution.Cause]
	Seed       uint64
	End        uint32 // upper half of the execution's digest
	Decisions  int    // number of decisions of the execution
	People     []Person
	Memory     []Access
	Observers  engine.Observers     // see [engine.Observers]
	Deviations []schedule.Deviation // without their hashes
	Stall      time.Duration        // stall bound, if the clock could be chosen; else 0
	Anchors    []Anchor             // one for each deviation
}

// A cardWord is a piece of text in a card, or only its hash where the card would
// otherwise become too long.
type cardWord struct {
	Text string
	sum  uint32
}

func WordOf(text string) cardWord { return cardWord{Text: text, sum: NameID(text)} }

// is reports whether the word stands for text.
func (w cardWord) is(text string) bool { return w.sum == NameID(text) }

// A Person is a goroutine that a card names.
type Person struct {
	Name cardWord
	path []int // it is the path[n]-th child, from 1, of … of the body's path[0]-th child; or of a timer's if that is 0
}

// An Access is a plain memory access that was a scheduling point.
type Access struct {
	PC       uintptr
	Function cardWord
}

// An Anchor says at which operation of which goroutine a deviation was made, and which
// goroutine ran then.
type Anchor struct {
	Who      int // index in Card.People; -1 at the start of the execution
	state    engine.PositionState
	Op       cardWord
	Function cardWord
	object   int // number of the operation's object; 0 if it has none
	// How many times the goroutine had come to such a place, from 1: with this
	// operation in this function on this object; in this function; anywhere.
	onObject, inFunction, anywhere int
	step                           int // of the goroutine, from 1
	target                         int // index in Card.People
}

// Points returns the addresses of a card's memory accesses.
func (c *Card) Points() []uintptr {
	var pcs []uintptr
	for _, a := range c.Memory {
		pcs = append(pcs, a.PC)
	}
	return pcs
}

// ThisToolchain describes the Go version and platform that built this program.
func ThisToolchain() string {
	return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// CheckTest returns an error unless the card is for the named body.
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

// CheckCard reports whether text is a complete card of any body. The error matches
// [ErrCard].
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
