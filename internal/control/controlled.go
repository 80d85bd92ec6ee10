//go:build jacquard

package control

import (
	"os"
	"unsafe"
)

const available = true

// The files that the overlay adds to package runtime implement these. They do not know
// the path of this package, which differs in a guest.

//go:linkname start runtime.jqStart
func start(seed uint64, now int64) (*Task, *shown)

//go:linkname spawn runtime.jqSpawn
func spawn(fn func())

//go:linkname unsettled runtime.jqUnsettled
func unsettled() bool

//go:linkname step runtime.jqStep
func step(id, choice uint32)

//go:linkname advance runtime.jqAdvance
func advance() bool

//go:linkname finish runtime.jqFinish
func finish(keep, instead bool)

//go:linkname notes runtime.jqTakeNotes
func notes() uint32

//go:linkname calls runtime.jqTakeCalls
func calls() uint64

//go:linkname takeWoken runtime.jqTakeWoken
func takeWoken() uint32

//go:linkname setFree runtime.jqSetFree
func setFree(points uint32, alone bool) (passed uint32, strange bool)

//go:linkname setPlain runtime.jqSetPlain
func setPlain(id uint32)

//go:linkname setProcs runtime.jqSetProcs
func setProcs(n int)

//go:linkname setPace runtime.jqSetPace
func setPace(start, read, asked, late int64, on bool)

//go:linkname now runtime.jqNow
func now() int64

//go:linkname steps runtime.jqSteps
func steps() uint64

//go:linkname crash runtime.jqCrash
func crash() (v any, fatal string, pcs []uintptr)

//go:linkname raceForget runtime.jqRaceForget
func raceForget(addr uintptr)

//go:linkname raceFrames runtime.jqRaceFrames
func raceFrames() []uintptr

//go:linkname races runtime.jqRaces
func races() (reports int, who uint32)

//go:linkname setSkip runtime.jqSetSkip
func setSkip(id uint32) bool

//go:linkname clearSkip runtime.jqClearSkip
func clearSkip()

//go:linkname setMemory runtime.jqSetMemory
func setMemory(pcs []uintptr)

//go:linkname watchVariables runtime.jqWatchVariables
func watchVariables(on bool) bool

//go:linkname setOwn runtime.jqSetOwn
func setOwn(key string, own func(name string) bool)

//go:linkname uses runtime.jqUses
func uses(addr uintptr, changes bool) bool

//go:linkname setEnding runtime.jqSetEnding
func setEnding(others, first bool)

//go:linkname setFiles runtime.jqSetFiles
func setFiles(points bool)

//go:linkname filesShared runtime.jqFilesShared
func filesShared() bool

//go:linkname setOwnFiles runtime.jqSetOwnFiles
func setOwnFiles(dir string)

//go:linkname setEmptied runtime.jqSetEmptied
func setEmptied(dir string)

//go:linkname mainChangesFiles runtime.jqMainChangesFiles
func mainChangesFiles() bool

//go:linkname takeFilesChanged runtime.jqTakeFilesChanged
func takeFilesChanged() bool

//go:linkname waitReason runtime.jqWaitReason
func waitReason(r uint32) string

//go:linkname heapLive runtime.jqHeapLive
func heapLive() uint64

//go:linkname collections runtime.jqCollections
func collections() (n uint32, done bool)

//go:linkname freed runtime.jqFreed
func freed(addr uintptr) bool

//go:linkname onStack runtime.jqOnStack
func onStack(addr uintptr) bool

//go:linkname settle runtime.jqSettle
func settle(patience int64) bool

//go:linkname channel runtime.jqChannel
func channel(addr uintptr) (n, size int, closed bool)

//go:linkname ofTimer runtime.jqOfTimer
func ofTimer(addr uintptr) bool

//go:linkname sizeless runtime.jqSizeless
func sizeless(addr uintptr) bool

//go:linkname channelQueues runtime.jqChannelQueues
func channelQueues(addr uintptr, next *Element) (receiver, sender uint32)

//go:linkname queues runtime.jqQueues
func queues(id uint32, all []uintptr) int

//go:linkname self runtime.jqSelf
func self() uint32

//go:linkname bubbled runtime.jqBubbled
func bubbled() bool

//go:linkname enter runtime.jqEnter
func enter() uintptr

//go:linkname asStream os.jqAsStream
func asStream(f *os.File)

//go:linkname leave runtime.jqLeave
func leave(own uintptr)

//go:linkname stall runtime.jqStall
func stall(step uint64) bool

//go:linkname poll runtime.jqPoll
func poll() bool

//go:linkname release runtime.jqRelease
func release(id uint32)

//go:linkname initialised runtime.jqInitialised
func initialised()

//go:linkname away runtime.jqAway
func away(id uint32) bool

//go:linkname astray runtime.jqAstray
func astray() bool

//go:linkname released runtime.jqReleased
func released() bool

//go:linkname waitsForOld runtime.jqWaitsForOld
func waitsForOld(id uint32) bool

//go:linkname awaitsTime runtime.jqAwaitsTime
func awaitsTime(id uint32) bool

//go:linkname exitCode runtime.jqExitCode
func exitCode() int

//go:linkname descriptor runtime.jqDescriptor
func descriptor(id uint32) uintptr

//go:linkname opened runtime.jqOpened
func opened(fd uintptr) bool

//go:linkname nextTimer runtime.jqNextTimer
func nextTimer() (ns int64, ok bool)

//go:linkname nextMoment runtime.jqNextMoment
func nextMoment() (ns int64, ok bool)

//go:linkname hasten runtime.jqHasten
func hasten(ns int64)

//go:linkname often runtime.jqOften
func often() bool

//go:linkname tickers runtime.jqTickers
func tickers() (longest, last int64)

//go:linkname signals runtime.jqSignalsPending
func signals() (pending, wanted bool)

//go:linkname pass runtime.jqPass
func pass(ns int64)

//go:linkname where runtime.jqWhere
func where(id uint32, pcs []uintptr) int

//go:linkname locals runtime.jqLocals
func locals(id uint32) uint64

//go:linkname assembly runtime.jqAssembly
func assembly() []string

//go:linkname standard runtime.jqStandard
func standard() string

func table(first *Task) *[MaxTasks + 1]Task {
	return (*[MaxTasks + 1]Task)(unsafe.Pointer(first))
}

// Numbers of wait reasons in the runtime.
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
