//go:build jacquard

package control

import "unsafe"

const available = true

// Implemented by the file that the overlay adds to package runtime: a function
// without a body has to be marked as one that is linked from elsewhere.

//go:linkname start
func start(seed uint64, now int64) *Member

//go:linkname spawn
func spawn(fn func())

//go:linkname step
func step(id, choice uint32)

//go:linkname advance
func advance() bool

//go:linkname finish
func finish(keep bool)

//go:linkname notes
func notes() uint32

//go:linkname calls
func calls() uint64

//go:linkname takeWoken
func takeWoken() uint32

//go:linkname setFree
func setFree(points uint32, alone bool) (passed uint32, strange bool)

//go:linkname setPlain
func setPlain(id uint32)

//go:linkname setProcs
func setProcs(n int)

//go:linkname setPace
func setPace(start, read, late int64)

//go:linkname state
func state() (members uint32, now int64, outside uint32, full, stalled bool)

//go:linkname steps
func steps() uint64

//go:linkname crash
func crash() (v any, fatal string, pcs []uintptr)

//go:linkname raceFrames
func raceFrames() []uintptr

//go:linkname races
func races(frames int) (reports, now int)

//go:linkname setSkip
func setSkip(id uint32) bool

//go:linkname clearSkip
func clearSkip()

//go:linkname setMemory
func setMemory(pcs []uintptr)

//go:linkname waitReason
func waitReason(r uint32) string

//go:linkname heapLive
func heapLive() uint64

//go:linkname collections
func collections() (n uint32, done bool)

//go:linkname freed
func freed(addr uintptr) bool

//go:linkname onStack
func onStack(addr uintptr) bool

//go:linkname settle
func settle(patience int64) bool

//go:linkname channel
func channel(addr uintptr) (n, size int, closed bool)

//go:linkname self
func self() uint32

//go:linkname bubbled
func bubbled() bool

//go:linkname enter
func enter() uintptr

//go:linkname leave
func leave(own uintptr)

//go:linkname stall
func stall(step uint64) bool

//go:linkname poll
func poll() bool

//go:linkname release
func release(id uint32)

//go:linkname released
func released() bool

//go:linkname waitsForOld
func waitsForOld(id uint32) bool

//go:linkname waking
func waking() bool

//go:linkname exitCode
func exitCode() int

//go:linkname descriptor
func descriptor(id uint32) uintptr

//go:linkname opened
func opened(fd uintptr) bool

//go:linkname nextTimer
func nextTimer() (ns int64, ok bool)

//go:linkname pass
func pass(ns int64)

//go:linkname where
func where(id uint32, pcs []uintptr) int

//go:linkname locals
func locals(id uint32) uint64

func table(first *Member) *[MaxMembers + 1]Member {
	return (*[MaxMembers + 1]Member)(unsafe.Pointer(first))
}

// Numbers of the runtime's wait reasons.
var (
	ioWait       = numberOf("IO wait")
	synctestRun  = numberOf("synctest.Run")
	synctestWait = numberOf("synctest.Wait")
)

func numberOf(reason string) uint32 {
	for r := range uint32(256) {
		if waitReason(r) == reason {
			return r
		}
	}
	panic("control: this runtime has no wait reason " + reason)
}
