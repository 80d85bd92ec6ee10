// Package values formats words of a controlled program's memory.
package values

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// maxString bounds the bytes of a string that are shown.
const maxString = 40

// A Reader formats words of the program's memory. Pointers become numbers in the order in which
// they are met, because their bits say nothing and differ from run to run.
//
// It reads while every goroutine is parked and no garbage collection is under way, at addresses
// that a goroutine is about to use or has just used. The addresses may still be invalid, and the
// data inconsistent: the program may be about to fault, or a string may be half overwritten. The
// text of unreadable data is "".
type Reader struct {
	pointers map[uint64]int
}

// Pointer returns a pointer's number.
func (r *Reader) Pointer(bits uint64) string {
	if bits == 0 {
		return "nil"
	}
	if r.pointers == nil {
		r.pointers = make(map[uint64]int)
	}
	if r.pointers[bits] == 0 {
		r.pointers[bits] = len(r.pointers) + 1
	}
	return fmt.Sprintf("ptr#%d", r.pointers[bits])
}

// Atomic returns the text of an atomic variable's bits; typ is the type of its operations.
func (r *Reader) Atomic(typ string, bits uint64) string {
	switch typ {
	case "Bool":
		return strconv.FormatBool(uint32(bits) != 0)
	case "Int32":
		return strconv.FormatInt(int64(int32(bits)), 10)
	case "Int64":
		return strconv.FormatInt(int64(bits), 10)
	case "Uint32":
		return strconv.FormatUint(uint64(uint32(bits)), 10)
	case "Uint64", "Uintptr":
		return strconv.FormatUint(bits, 10)
	case "Pointer":
		return r.Pointer(bits)
	}
	return ""
}

// Element returns the text of a value that passes through a channel; "" if it is not of a basic
// kind.
func (r *Reader) Element(e control.Element) string {
	if e.Type == 0 {
		return ""
	}
	return r.Value(typeOf(e.Type), unsafe.Pointer(&e.Words))
}

// Value returns the text of a value of a basic kind at p; "" for others.
func (r *Reader) Value(t reflect.Type, p unsafe.Pointer) (text string) {
	defer source.Unreadable(func() { text = "" })
	v := reflect.NewAt(t, p).Elem()
	switch t.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, t.Bits())
	case reflect.String:
		return quoted(v.String())
	case reflect.Pointer, reflect.UnsafePointer:
		return r.Pointer(uint64(v.Pointer()))
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
	case reflect.Struct:
		if t.Size() == 0 {
			return "{}"
		}
	}
	return ""
}

// quoted returns a string in quotes, shortened.
func quoted(s string) string {
	if len(s) <= maxString {
		return strconv.Quote(s)
	}
	end := maxString
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strconv.Quote(s[:end]) + "…"
}

// typeOf returns the type whose runtime descriptor is at an address.
func typeOf(descriptor uintptr) reflect.Type {
	words := [2]uintptr{descriptor, 0}
	return reflect.TypeOf(*(*any)(unsafe.Pointer(&words)))
}

// Boxed returns the text of an interface's content, given its two words; "" if it is not of a basic
// kind, or about to be filled in.
func (r *Reader) Boxed(words [2]uint64) (text string) {
	defer source.Unreadable(func() { text = "" })
	switch words[0] {
	case 0:
		return "nil"
	case math.MaxUint64:
		return ""
	}
	t := typeOf(uintptr(words[0]))
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer: // pointers are in the interface itself
		return r.Pointer(words[1])
	case reflect.Chan, reflect.Map, reflect.Func, reflect.Struct, reflect.Array:
		return ""
	}
	return r.Value(t, source.PointerTo(uintptr(words[1])))
}
