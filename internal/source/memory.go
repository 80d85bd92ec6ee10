package source

import (
	"runtime"
	"unsafe"
)

// Word reads an aligned variable of four or eight bytes.
func Word(addr, size uintptr) (bits uint64, ok bool) {
	if addr == 0 || addr%size != 0 { // the access is about to fail in the program
		return 0, false
	}
	return Bits(addr, size)
}

// Bits reads four or eight bytes of the program at an address. It reports whether they
// can be read.
func Bits(addr, size uintptr) (bits uint64, ok bool) {
	defer func() {
		if !ok { // calling recover takes longer than the copy
			unreadable(recover())
		}
	}()
	if size == 4 {
		return uint64(*(*uint32)(PointerTo(addr))), true
	}
	return *(*uint64)(PointerTo(addr)), true
}

// Peek copies memory of the program at an address: four bytes, or a multiple of eight. It
// reports whether they can be read.
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

// Unreadable is deferred by code that reads the program's memory, and calls f if that
// failed. The controller makes the runtime panic in that case instead of ending the process.
func Unreadable(f func()) {
	if unreadable(recover()) {
		f()
	}
}

// unreadable reports whether a panic is a failed read. It repeats any other panic.
func unreadable(e any) bool {
	if _, ok := e.(runtime.Error); !ok && e != nil {
		panic(e)
	}
	return e != nil
}

// PointerTo converts the address of a variable that the program keeps alive.
func PointerTo(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }
