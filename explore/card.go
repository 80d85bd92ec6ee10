package explore

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/executable"
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

// A card is a schedule that can be replayed: the deviations from the default
// one, and all else that decides an execution. It says so twice: by numbers,
// which are exact and good for one program, and by words, which say the same of
// a program that has changed. See cardtext.go for how it is written.
type card struct {
	test       uint32   // of Config.Name
	program    uint32   // of the executable
	toolchain  cardWord // that built it
	kind       Kind
	cause      uint32 // of the failure; see execution.cause
	seed       uint64
	end        uint32 // of the execution's hash
	decisions  int    // of the whole execution
	people     []person
	memory     []access
	deviations []deviation // hash is not kept
	anchors    []anchor    // one for each deviation
}

// A cardWord is a piece of text in a card, or, where the card would become long, no
// more than its hash.
type cardWord struct {
	text string
	sum  uint32
}

func wordOf(text string) cardWord { return cardWord{text: text, sum: nameID(text)} }

// is reports whether the word stands for text.
func (w cardWord) is(text string) bool { return w.sum == nameID(text) }

// A person is a goroutine that a card speaks of.
type person struct {
	name cardWord
	path []int // it is the path[n]-th child, from 1, of … of the body's path[0]-th child; of a timer's if that is 0
}

// An access is a plain memory access that was a scheduling point.
type access struct {
	pc       uintptr
	function cardWord
}

// An anchor says at what operation of which goroutine a deviation was, and
// which goroutine was run then.
type anchor struct {
	who      int // in card.people; -1 at the start of the execution
	state    placeState
	op       cardWord
	function cardWord
	object   int // number of the operation's object; 0 if it has none
	// How often the goroutine had come to such a place, from 1: of this
	// operation in this function on this object; in this function; anywhere.
	onObject, inFunction, anywhere int
	step                           int // of the goroutine, from 1
	target                         int // in card.people
}

// card describes an execution of x by numbers; [explorer.anchored] adds what
// is said in words.
func (x *explorer) card(ex *execution, seed uint64) (*card, error) {
	program, err := programID()
	if err != nil {
		return nil, err
	}
	c := &card{
		test: nameID(x.cfg.Name), program: program, toolchain: wordOf(thisToolchain()),
		kind: ex.out.kind, seed: seed,
		end: uint32(ex.digest() >> 32), decisions: len(ex.run), deviations: deviations(ex.run),
	}
	for _, pc := range x.memory {
		c.memory = append(c.memory, access{pc: pc, function: wordOf(functionAt(pc))})
	}
	return c, nil
}

// points are the exact addresses of a card's memory accesses.
func (c *card) points() []uintptr {
	var pcs []uintptr
	for _, a := range c.memory {
		pcs = append(pcs, a.pc)
	}
	return pcs
}

// thisToolchain is what built this program.
func thisToolchain() string {
	return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// functionAt is the program's function in which a return address lies.
func functionAt(pc uintptr) string {
	for _, f := range resolve([]uintptr{pc}) {
		if !machinery(packageOf(f.function)) {
			return plainFunction(f.function)
		}
	}
	return ""
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

// checkTest reports whether the card is for this body.
func (c *card) checkTest(name string) error {
	if got, want := c.test, nameID(name); got != want {
		return fmt.Errorf("explore: %w: got one for %08x, want %08x, which is %q", ErrOtherTest, got, want, name)
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
	print, err := executable.Fingerprint(exe)
	if err != nil {
		return 0, fmt.Errorf("explore: %w", err)
	}
	return nameID(print), nil
})

// CheckCard reports whether text is a whole card, without saying of what. The
// error matches [ErrCard].
func CheckCard(text string) error {
	_, err := parseCard(text)
	return err
}

func abbreviate(s string) string {
	if len(s) > 24 {
		s = strings.ToValidUTF8(s[:24], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
