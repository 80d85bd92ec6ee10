package report

import (
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// maxString bounds the bytes of a string that are shown.
const maxString = 40

// A reader formats words of the program's memory. Pointers become numbers in the order in which
// they are met, because their bits say nothing and differ from run to run.
//
// It reads while every goroutine is parked and no garbage collection is under way, at addresses
// that a goroutine is about to use or has just used. The addresses may still be invalid, and the
// data inconsistent: the program may be about to fault, or a string may be half overwritten. The
// text of unreadable data is "".
type reader struct {
	pointers map[uint64]int
}

// pointer returns a pointer's number.
func (r *reader) pointer(bits uint64) string {
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

// atomic returns the text of an atomic variable's bits; typ is the type of its operations.
func (r *reader) atomic(typ string, bits uint64) string {
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
		return r.pointer(bits)
	}
	return ""
}

// element returns the text of a value that passes through a channel; "" if it is not of a basic
// kind.
func (r *reader) element(e control.Element) string {
	if e.Type == 0 {
		return ""
	}
	return r.value(typeOf(e.Type), unsafe.Pointer(&e.Words))
}

// value returns the text of a value of a basic kind at p; "" for others.
func (r *reader) value(t reflect.Type, p unsafe.Pointer) (text string) {
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
		return r.pointer(uint64(v.Pointer()))
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
