package source

import (
	"runtime"
	"unsafe"
)

// Word reads a variable of four or eight bytes.
func Word(addr, size uintptr) (bits uint64, ok bool) {
	var words [1]uint64
	if addr == 0 || addr%size != 0 { // the program is about to be told so
		return 0, false
	}
	ok = Peek(addr, size, words[:])
	return words[0], ok
}

// Peek copies what the program has at an address, four bytes or so many words of
// eight. It reports whether that can be read.
func Peek(addr, size uintptr, to []uint64) (ok bool) {
	defer func() {
		if !ok { // to ask for a panic takes longer than to copy
			unreadable(recover())
		}
	}()
	if size == 4 {
		to[0] = uint64(*(*uint32)(PointerTo(addr)))
	} else {
		copy(to, unsafe.Slice((*uint64)(PointerTo(addr)), size/8))
	}
	return true
}

// Unreadable is deferred by what reads the program's memory, and calls f if it could
// not. The controller has the runtime panic in that case, and not end the process.
func Unreadable(f func()) {
	if unreadable(recover()) {
		f()
	}
}

// unreadable reports whether a panic is of what cannot be read. It passes on any other.
func unreadable(e any) bool {
	if _, ok := e.(runtime.Error); !ok && e != nil {
		panic(e)
	}
	return e != nil
}

// PointerTo is the address of a variable that the program keeps alive.
func PointerTo(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }
