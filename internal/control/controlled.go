//go:build jacquard

package control

import "unsafe"

const available = true

// Implemented by the file that the overlay adds to package runtime.
func start(seed uint64, now int64) *Member
func spawn(fn func())
func step(id, choice uint32)
func advance() bool
func finish()
func state() (members uint32, now int64, outside uint32, full, stalled bool)
func steps() uint64
func crash() (v any, fatal string, pcs []uintptr)
func raceFrames() []uintptr
func races(frames int) (reports, now int)
func setSkip(id uint32) bool
func clearSkip()
func setMemory(pcs []uintptr)
func waitReason(r uint32) string
func heapLive() uint64
func channel(addr uintptr) (n, size int, closed bool)
func self() uint32
func enter() uintptr
func leave(own uintptr)
func stall(step uint64) bool
func poll() bool
func exitCode() int
func descriptor(id uint32) uintptr
func opened(fd uintptr) bool
func nextTimer() (ns int64, ok bool)
func pass(ns int64)
func where(id uint32, pcs []uintptr) int

func table(first *Member) *[MaxMembers + 1]Member {
	return (*[MaxMembers + 1]Member)(unsafe.Pointer(first))
}

// ioWait is the number of the runtime's wait reason for the network.
var ioWait = func() uint32 {
	for r := range uint32(256) {
		if waitReason(r) == "IO wait" {
			return r
		}
	}
	panic("control: this runtime has no wait reason for the network")
}()
