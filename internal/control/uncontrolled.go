//go:build !jacquard

package control

import "os"

const (
	available    = false
	ioWait       = 0
	synctestRun  = 0
	synctestWait = 0
)

const message = "control: this process was not built with the overlay"

func start(uint64, int64) (*Task, *shown)                       { panic(message) }
func spawn(func())                                              { panic(message) }
func unsettled() bool                                           { panic(message) }
func step(uint32, uint32)                                       { panic(message) }
func advance() bool                                             { panic(message) }
func finish(bool, bool)                                         { panic(message) }
func notes() uint32                                             { panic(message) }
func calls() uint64                                             { panic(message) }
func takeWoken() uint32                                         { panic(message) }
func setFree(uint32, bool) (uint32, bool)                       { panic(message) }
func setPlain(uint32)                                           { panic(message) }
func setFiles(bool)                                             { panic(message) }
func filesShared() bool                                         { panic(message) }
func setOwnFiles(string)                                        { panic(message) }
func setEmptied(string)                                         { panic(message) }
func mainChangesFiles() bool                                    { panic(message) }
func takeFilesChanged() bool                                    { panic(message) }
func setProcs(int)                                              { panic(message) }
func setPace(start, read, asked, late int64, on bool)           { panic(message) }
func now() int64                                                { panic(message) }
func steps() uint64                                             { panic(message) }
func crash() (v any, fatal string, pcs []uintptr)               { panic(message) }
func raceForget(uintptr)                                        { panic(message) }
func raceFrames() []uintptr                                     { panic(message) }
func races() (reports int, who uint32)                          { panic(message) }
func setSkip(uint32) bool                                       { panic(message) }
func clearSkip()                                                { panic(message) }
func setMemory([]uintptr)                                       { panic(message) }
func watchVariables(bool) bool                                  { panic(message) }
func setOwn(string, func(string) bool)                          { panic(message) }
func setEnding(bool, bool)                                      { panic(message) }
func waitReason(uint32) string                                  { panic(message) }
func heapLive() uint64                                          { panic(message) }
func channel(uintptr) (n, size int, closed bool)                { panic(message) }
func sizeless(uintptr) bool                                     { panic(message) }
func channelQueues(uintptr, *Element) (receiver, sender uint32) { panic(message) }
func queues(uint32, []uintptr) int                              { panic(message) }
func collections() (n uint32, done bool)                        { panic(message) }
func freed(uintptr) bool                                        { panic(message) }
func onStack(uintptr) bool                                      { panic(message) }
func uses(uintptr, bool) bool                                   { panic(message) }
func settle(int64) bool                                         { panic(message) }
func self() uint32                                              { return 0 }
func bubbled() bool                                             { return false }
func asStream(*os.File)                                         {}
func enter() uintptr                                            { return 0 }
func leave(uintptr)                                             {}
func stall(uint64) bool                                         { return false }
func poll() bool                                                { panic(message) }
func release(uint32)                                            { panic(message) }
func initialised()                                              { panic(message) }
func away(uint32) bool                                          { panic(message) }
func astray() bool                                              { panic(message) }
func released() bool                                            { panic(message) }
func waitsForOld(uint32) bool                                   { panic(message) }
func awaitsTime(uint32) bool                                    { panic(message) }
func exitCode() int                                             { panic(message) }
func descriptor(uint32) uintptr                                 { panic(message) }
func opened(uintptr) bool                                       { panic(message) }
func nextTimer() (ns int64, ok bool)                            { panic(message) }
func nextMoment() (ns int64, ok bool)                           { panic(message) }
func hasten(int64)                                              { panic(message) }
func often() bool                                               { panic(message) }
func ofTimer(uintptr) bool                                      { panic(message) }
func tickers() (longest, last int64)                            { panic(message) }
func signals() (pending, wanted bool)                           { panic(message) }
func pass(int64)                                                { panic(message) }
func where(uint32, []uintptr) int                               { panic(message) }
func locals(uint32) uint64                                      { panic(message) }
func assembly() []string                                        { return nil }
func standard() string                                          { return "" }
func table(*Task) *[MaxTasks + 1]Task                           { panic(message) }
