package source

import (
	"runtime"
	"unsafe"
)

// Word reads a variable of four or eight bytes.
func Word(addr, size uintptr) (bits uint64, ok bool) {
	if addr == 0 || addr%size != 0 { // the program is about to be told so
		return 0, false
	}
	return Bits(addr, size)
}

// Bits copies the four or eight bytes that the program has at an address. It reports
// whether they can be read.
func Bits(addr, size uintptr) (bits uint64, ok bool) {
	defer func() {
		if !ok { // to ask for a panic takes longer than to copy
			unreadable(recover())
		}
	}()
	if size == 4 {
		return uint64(*(*uint32)(PointerTo(addr))), true
	}
	return *(*uint64)(PointerTo(addr)), true
}

// Peek copies what the program has at an address, four bytes or so many words of eight. It
// reports whether that can be read.
func Peek(addr, size uintptr, to []uint64) (ok bool) {
	if size <= 8 {
		to[0], ok = Bits(addr, size)
		return ok
	}
	defer func() {
		if !ok {
			unreadable(recover())
		}
	}()
	copy(to, unsafe.Slice((*uint64)(PointerTo(addr)), size/8))
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
