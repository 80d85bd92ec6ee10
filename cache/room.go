package cache

// roomy is the size in bytes of a stack frame that makes a new goroutine's stack (2 KB, of which the runtime keeps
// nearly half for itself) grow. A creation makes it grow anyway.
const roomy = 1280

// makeRoom makes the stack grow now rather than deep inside a creator, because the runtime adjusts every frame on the
// stack when it grows, and there are fewest here. For a miss on a new goroutine that saves 1 µs of 2.5. On a stack with
// enough room it costs a call.
//
// The frame has room for the array even when used is false.
//
//go:noinline
func makeRoom(used bool) {
	if used {
		var room [roomy]byte
		fill(&room)
	}
}

//go:noinline
func fill(room *[roomy]byte) { clear(room[:]) }
