package stress

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
)

// shakeEvery is the number of rounds between two shakes.
const shakeEvery = 64

// shake sometimes changes the runtime's settings between rounds, as the seed says: the number of processors, when memory
// is collected and given back, how often the collector runs. Plain running meets only the interleavings that the machine
// happens to make; changing the settings produces others.
func shake(round int64, rng *rand.Rand) {
	if round%shakeEvery != 0 {
		return
	}
	switch rng.IntN(5) {
	case 0:
		runtime.GOMAXPROCS(1 + rng.IntN(2*runtime.NumCPU()))
	case 1:
		runtime.GOMAXPROCS(runtime.NumCPU())
	case 2:
		runtime.GC()
	case 3:
		debug.FreeOSMemory()
	case 4:
		debug.SetGCPercent([]int{10, 50, 100, 400}[rng.IntN(4)])
	}
}
