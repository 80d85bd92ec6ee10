package overlay

// An edit replaces every occurrence of an anchor in one file of GOROOT/src.
type edit struct {
	file   string
	anchor string
	with   string
	count  int    // how many times the anchor must occur; 0 means once
	only   string // the releases that have the anchor, as "1.25"; "" means all
	maybe  bool   // some patch releases lack the anchor
}

// after returns an edit that inserts text after an anchor.
func after(file, anchor, text string) edit {
	return edit{file: file, anchor: anchor, with: anchor + text}
}

// before returns an edit that inserts text before an anchor.
func before(file, anchor, text string) edit {
	return edit{file: file, anchor: anchor, with: text + anchor}
}

func replace(file, anchor, with string) edit {
	return edit{file: file, anchor: anchor, with: with}
}

// edits returns the changes to Go's own files, for every supported version.
func edits() []edit {
	var all []edit
	all = append(all, schedulerEdits()...)
	all = append(all, channelEdits()...)
	all = append(all, conditionEdits()...)
	all = append(all, clockEdits()...)
	all = append(all, bubbleEdits()...)
	all = append(all, randomEdits()...)
	all = append(all, contextEdits()...)
	all = append(all, crashEdits()...)
	all = append(all, outsideEdits()...)
	all = append(all, collectorEdits()...)
	all = append(all, fileEdits()...)
	all = append(all, pathEdits()...)
	all = append(all, testingEdits()...)
	return append(all, detectorEdits()...)
}

// schedulerEdits intercept the start, waiting, waking and end of goroutines.
func schedulerEdits() []edit {
	const proc, coro = "runtime/proc.go", "runtime/coro.go"
	return []edit{
		after("runtime/runtime2.go", "\tbubble  *synctestBubble\n",
			"\tjq      uint32 // task of the controlled execution; 0 is none\n\tjqBorn  uint32 // its number to the race detector; see jqStarts\n\tjqQuiet uint32 // nesting of jqEnter\n\tjqReleased bool // see jqRelease\n\tjqFiling bool // see jqFileBegins\n\tjqStarted *funcval // what it has started last, if a task; see jqFollows\n"),
		after(proc, "\t\tnewg.racectx = racegostart(callerpc)\n", "\t\tnewg.jqBorn = jqStarts\n"),
		after(proc, "func newproc(fn *funcval) {\n\tgp := getg()\n\tpc := sys.GetCallerPC()\n",
			"\ttask := jqInherits(gp, fn)\n"),
		replace(proc, "\t\tnewg := newproc1(fn, gp, pc, false, waitReasonZero)\n\n\t\tpp := getg().m.p.ptr()\n",
			"\t\tif task {\n\t\t\tjqAdd(newproc1(fn, gp, pc, true, waitReasonJacquard), gp, fn, pc)\n\t\t\treturn\n\t\t}\n"+
				"\t\tnewg := newproc1(fn, gp, pc, false, waitReasonZero)\n\n\t\tpp := getg().m.p.ptr()\n"),
		replace(proc, "\t\tif mainStarted {\n\t\t\twakep()\n\t\t}\n\t})\n}\n",
			"\t\tif mainStarted {\n\t\t\twakep()\n\t\t}\n\t})\n\tif task {\n\t\tjqPoint(jqOpGo, 0)\n\t}\n}\n"),
		after(proc, "func ready(gp *g, traceskip int, next bool) {\n",
			"\tif jqReady(gp) {\n\t\treturn\n\t}\n"),
		after(proc, "func park_m(gp *g) {\n\tmp := getg().m\n",
			"\tjqID, jqReason := gp.jq, gp.waitreason\n\tjqParking(gp)\n"),
		after(proc, "\t\tok := fn(gp, mp.waitlock)\n\t\tmp.waitunlockf = nil\n\t\tmp.waitlock = nil\n\t\tif !ok {\n",
			"\t\t\tjqUnparking(gp)\n"),
		before(proc, "\tschedule()\n}\n\nfunc goschedImpl(", "\tjqParked(jqID, jqReason)\n"),
		replace(proc, "\tgdestroy(gp)\n\tschedule()\n}\n", "\tjqID := jqExiting(gp)\n\tgdestroy(gp)\n\tjqExited(jqID)\n\tschedule()\n}\n"),
		after(proc, "\tgp.timer = nil\n\tgp.bubble = nil\n", "\tgp.jq, gp.jqQuiet, gp.jqFiling, gp.jqStarted = 0, 0, false, nil\n"),
		before(proc, "\t\tracegoend()\n\t}\n\ttrace := traceAcquire()\n", "\t\tjqMerge()\n"),
		after(proc, "func goexit1() {\n", "\tjqEnds()\n"),
		replace(proc, "\n\n\tneedUnlock = false\n\tunlockOSThread()\n", "\n\tjqInitialised()\n\n\tneedUnlock = false\n\tunlockOSThread()\n"),
		replace(proc, "func Gosched() {\n\tcheckTimeouts()\n", "func Gosched() {\n\tif jqGosched(sys.GetCallerPC()) {\n\t\treturn\n\t}\n\tcheckTimeouts()\n"),
		// Func values are compared including the padding of the allocator; see jqClosure.
		replace("runtime/malloc.go", "\tif span.needzero != 0 {\n\t\tmemclrNoHeapPointers(x, size)\n",
			"\tif span.needzero != 0 {\n\t\tmemclrNoHeapPointers(x, span.elemsize)\n").times(2),
		// exitsyscall must not use write barriers, and this is no point of the program.
		replace(proc, "\t\t\t// Scheduling of this goroutine is disabled.\n\t\t\tGosched()\n",
			"\t\t\t// Scheduling of this goroutine is disabled.\n\t\t\tmcall(gosched_m)\n"),
		after(coro, "\tgp.coroexit = false\n\tmp := gp.m\n", "\tjqID := gp.jq\n"),
		after(coro, "\t\tthrow(\"coroswitch of a goroutine to itself\")\n\t}\n",
			"\tif exit {\n\t\tjqCoroGone(jqID, gnext)\n\t} else {\n\t\tjqSwitchCoro(gp, gnext)\n\t}\n"),
	}
}

// pathEdits give the program full paths of its source files, and GOROOT.
func pathEdits() []edit {
	const symtab = "runtime/symtab.go"
	return []edit{
		replace(symtab, "\t\tframe.File, frame.Line = file, int(line)\n", "\t\tframe.File, frame.Line = jqSourcePath(file), int(line)\n"),
		replace(symtab, "\t\treturn fi.file, int(fi.line)\n", "\t\treturn jqSourcePath(fi.file), int(fi.line)\n"),
		replace(symtab, "\treturn file, int(line32)\n}\n\n// startLine", "\treturn jqSourcePath(file), int(line32)\n}\n\n// startLine"),
		replace("runtime/extern.go", "\treturn defaultGOROOT\n", "\treturn jqRoot(defaultGOROOT)\n"),
	}
}

// channelEdits insert a point at every channel operation, select, notification of a
// condition variable, and attempt to take a lock.
func channelEdits() []edit {
	const ch, sel, sema = "runtime/chan.go", "runtime/select.go", "runtime/sema.go"
	const mutex, pool, rwmutex = "internal/sync/mutex.go", "sync/pool.go", "sync/rwmutex.go"
	return []edit{
		after(ch, "func chansend(c *hchan, ep unsafe.Pointer, block bool, callerpc uintptr) bool {\n",
			"\tjqSendPoint(c, ep, block)\n"),
		after(ch, "func chanrecv(c *hchan, ep unsafe.Pointer, block bool) (selected, received bool) {\n",
			"\tif block {\n\t\tjqPoint(jqOpRecv, uintptr(unsafe.Pointer(c)))\n\t} else {\n\t\tjqPoint(jqOpTryRecv, uintptr(unsafe.Pointer(c)))\n\t}\n"),
		after(ch, "\telemsize uint16\n", "\tjqMade   uint16 // see jqSigned\n"),
		after(ch, "\tc.elemtype = elem\n", "\tc.jqMade = jqSigned()\n"),
		after(ch, "func chanlen(c *hchan) int {\n", "\tjqLength(c)\n"),
		after(ch, "func closechan(c *hchan) {\n", "\tjqPoint(jqOpClose, uintptr(unsafe.Pointer(c)))\n"),
		// TryLock reads the lock's state without an atomic operation, and often does no more.
		before(mutex, "// TryLock tries to lock m and reports whether it succeeded.\n", "//go:linkname jqTryLock\nfunc jqTryLock(state *int32)\n\n"),
		after(mutex, "func (m *Mutex) TryLock() bool {\n", "\tjqTryLock(&m.state)\n"),
		// A writer's count of the readers that it waits for is unobservable: it gets a name of its own.
		replace(rwmutex, "rw.readerWait.Add(r) != 0", "rw.awaited(r) != 0"),
		before(rwmutex, "// TryLock tries to lock rw for writing", "func (rw *RWMutex) awaited(r int32) int32 { return rw.readerWait.Add(r) }\n\n"),
		before(pool, "// Put adds x to the pool.\n", "//go:linkname jqPool\nfunc jqPool(p unsafe.Pointer)\n\n//go:linkname jqDropsPut\nfunc jqDropsPut() (drops, decided bool)\n\n//go:linkname jqPooled\nfunc jqPooled()\n\n"),
		after(pool, "func (p *Pool) Put(x any) {\n", "\tjqPool(unsafe.Pointer(p))\n"),
		replace(pool, "\t\tif runtime_randn(4) == 0 {\n", "\t\tif drops, decided := jqDropsPut(); drops || !decided && runtime_randn(4) == 0 {\n"),
		after(pool, "func (p *Pool) Get() any {\n", "\tjqPool(unsafe.Pointer(p))\n"),
		before(pool, "\tif x == nil && p.New != nil {\n", "\tif x != nil {\n\t\tjqPooled()\n\t}\n"),
		after(sel, "nsends, nrecvs int, block bool) (int, bool) {\n\tgp := getg()\n", "\tjqSelectPoint(cas0, nsends, nrecvs)\n"),
		replace(sel, "\t\tj := cheaprandn(uint32(norder + 1))\n", "\t\tj := jqSelectOrder(uint32(norder + 1))\n"),
		before(sel, "\t// pass 1 - look for something already waiting\n", "\tjqSelectChoose(gp, scases, pollorder, nsends)\n"),
		before(sel, "\t// pass 2 - enqueue on all chans\n", "\tjqSelectQueue(gp, scases, pollorder, lockorder, nsends)\n"),
		before(sel, "\treturn casi, recvOK\n", "\tjqSelected(gp, scases, casi, nsends, recvOK)\n"),
		after(sema, "func sync_runtime_SemacquireWaitGroup(addr *uint32, synctestDurable bool) {\n",
			"\tjqPoint(jqOpAtomic, uintptr(unsafe.Pointer(addr)))\n"),
		after(sema, "func notifyListAdd(l *notifyList) uint32 {\n", "\tjqPoint(jqOpCondWait, uintptr(unsafe.Pointer(l)))\n"),
		after(sema, "func notifyListNotifyAll(l *notifyList) {\n", "\tjqPoint(jqOpBroadcast, uintptr(unsafe.Pointer(l)))\n"),
		after(sema, "func notifyListNotifyOne(l *notifyList) {\n", "\tjqPoint(jqOpSignal, uintptr(unsafe.Pointer(l)))\n"),
		replace(sema, "func internal_sync_nanotime() int64 {\n\treturn nanotime()\n", "func internal_sync_nanotime() int64 {\n\treturn jqNanotime()\n"),
	}
}

// conditionEdits make a goroutine of Go 1.25 record the condition variable that it waits for,
// as later versions do.
func conditionEdits() []edit {
	const sema = "runtime/sema.go"
	return []edit{
		replace(sema, "\ts.g = getg()\n\ts.ticket = t\n", "\ts.g = getg()\n\ts.elem, s.g.waiting = unsafe.Pointer(l), s\n\ts.ticket = t\n").in("1.25"),
		replace(sema, "\t\tblockevent(s.releasetime-t0, 2)\n\t}\n\treleaseSudog(s)\n", "\t\tblockevent(s.releasetime-t0, 2)\n\t}\n\ts.elem, s.g.waiting = nil, nil\n\treleaseSudog(s)\n").in("1.25"),
	}
}

// jqLocal is time.Local. The race detector does not see that goroutines of the explorer read it, nor
// that timers do, in whose place it cannot report anything: a program may set it.
const jqLocal = "func jqLocal() *Location {\n\tif jqOutside() {\n\t\treturn jqUnseen()\n\t}\n\treturn Local\n}\n\n" +
	"//go:norace\nfunc jqUnseen() *Location { return Local }\n\n"

// clockEdits give tasks the execution's clock instead of the machine's, unless they are
// in a bubble, which has its own.
func clockEdits() []edit {
	const time = "runtime/time.go"
	const noBubble = "\t\tbubble := getg().bubble\n\t\tif bubble == nil {\n"
	const clock = "\t\tbubble := jqClockOf(t)\n\t\tif bubble == nil {\n"
	return []edit{
		after(time, "\tisFake bool         // timer is using fake time; immutable; can be read without lock\n",
			"\tjqOwn  bool         // and that is the execution's, not a bubble's\n\tjqKept bool         // see jqHears\n\tjqID   uint64       // see jqTimerID\n"),
		replace(time, "\tif bubble := getg().bubble; bubble != nil {\n\t\tsec = bubble.now / (1000 * 1000 * 1000)\n\t\tnsec = int32(bubble.now % (1000 * 1000 * 1000))\n",
			"\tif bubble := jqBubble(getg()); bubble != nil {\n\t\tjqTold()\n\t\tnow := jqLook(bubble)\n\t\tsec = now / (1000 * 1000 * 1000)\n\t\tnsec = int32(now % (1000 * 1000 * 1000))\n"),
		replace(time, "\t\treturn sec, nsec, 0\n", "\t\treturn sec, nsec, jqMono(bubble, now)\n"),
		replace(time, "\treturn time_now()\n", "\treturn jqWall(time_now())\n"),
		before("time/time.go", "// Now returns the current local time.\n", "//go:linkname jqOutside\nfunc jqOutside() bool\n\n"+jqLocal),
		replace("time/time.go", " | uint64(nsec), mono, Local}\n", " | uint64(nsec), mono, jqLocal()}\n"),
		replace("time/time.go", "func unixTime(sec int64, nsec int32) Time {\n\treturn Time{uint64(nsec), sec + unixToInternal, Local}\n", "func unixTime(sec int64, nsec int32) Time {\n\treturn Time{uint64(nsec), sec + unixToInternal, jqLocal()}\n"),
		before("os/stat_linux.go", "func fillFileStatFromSys(", "func jqFileTime(sec, nsec int64) (int64, int64) // of runtime/jacquard_wall.go\n\n"),
		replace("os/stat_linux.go", "\tfs.modTime = time.Unix(fs.sys.Mtim.Unix())\n", "\tfs.modTime = time.Unix(jqFileTime(fs.sys.Mtim.Unix()))\n"),
		replace(time, "\tif gp.bubble != nil {\n\t\treturn gp.bubble.now\n\t}\n", "\tif bubble := jqBubble(gp); bubble != nil {\n\t\treturn jqLook(bubble)\n\t}\n\tif jqWalls.zero == 0 {\n\t\tjqWalls.zero = nanotime()\n\t\treturn jqWalls.zero\n\t}\n"),
		replace(time, "\treturn getg().bubble != nil\n", "\treturn jqBubble(getg()) != nil\n"),
		replace(time, "\t\tif gp.bubble != nil {\n\t\t\tt.isFake = true\n\t\t}\n\t\tgp.timer = t\n", "\t\tjqSetClock(t)\n\t\tgp.timer = t\n"),
		replace(time, "\tif bubble := gp.bubble; bubble != nil {\n\t\tnow = bubble.now\n", "\tif bubble := jqBubble(gp); bubble != nil {\n\t\tjqTimely()\n\t\tnow = bubble.now\n"),
		replace(time, "\tif bubble := getg().bubble; bubble != nil {\n\t\tt.isFake = true\n\t}\n", "\tjqSetClock(&t.timer)\n\tjqSets(when)\n"),
		replace(time, "\tif t.isFake && getg().bubble == nil {\n\t\t", "\tif t.isFake && !t.jqOwn && getg().bubble == nil {\n\t\t").times(2),
		replace(time, "\treturn t.stop()\n", "\tjqPoint(jqOpTimer, uintptr(unsafe.Pointer(t)))\n\treturn jqTimed(t.stop())\n"),
		replace(time, "\treturn t.reset(when, period)\n", "\tjqPoint(jqOpTimer, uintptr(unsafe.Pointer(t)))\n\tjqHears(&t.timer)\n\tjqSets(when)\n\treturn jqTimed(t.reset(when, period))\n"),
		replace(time, noBubble+"\t\t\tthrow(\"fake timer executing with no bubble\")\n", clock+"\t\t\tthrow(\"fake timer executing with no bubble\")\n"),
		replace(time, "\t\t\t\tt.unlockAndRun(bubble.now, bubble)\n", "\t\t\t\tt.unlockAndRun(bubble.now, jqTrueBubble(bubble))\n"),
		replace(time, noBubble+"\t\t\tthrow(\"invalid timer: fake time but no syncgroup\")\n", clock+"\t\t\tthrow(\"invalid timer: fake time but no syncgroup\")\n"),
		replace(time, "\t\t\tt.rand = cheaprand()\n", "\t\t\tt.rand = jqTimerRand(t)\n"),
		after(time, "\tdelay := now - t.when\n", "\tjqTies(t)\n"),
		replace(time, "\t\tnow = getg().bubble.now\n", "\t\tnow = jqClockOf(t).now\n"),
		replace(time, "\tif t.isFake && getg().bubble != c.bubble {\n", "\tif t.isFake && !t.jqOwn && getg().bubble != c.bubble {\n"),
		replace(time, "\tif t.isFake && c.bubble != getg().bubble {\n", "\tif t.isFake && !t.jqOwn && c.bubble != getg().bubble {\n"),
	}
}

// bubbleEdits allow tasks in bubbles of testing/synctest.
func bubbleEdits() []edit {
	const types, bubble = "runtime/runtime2.go", "runtime/synctest.go"
	all := []edit{
		// Stopped tasks are not idle, unlike goroutines with other wait reasons.
		after(types, "\twaitReasonZero                  waitReason = iota // \"\"\n", "\twaitReasonJacquard                                // \"its turn\"\n"),
		after(types, "var waitReasonStrings = [...]string{\n", "\twaitReasonJacquard:              \"its turn\",\n"),
		after(bubble, "\tid      uint64 // unique id\n", "\tjq      uint32 // number in the controlled execution; 0 is none of its\n"),
		before(bubble, "\t\tbubble.main = newproc1(fv, gp, pc, false, waitReasonZero)\n", "\t\tif jqBubbleMain(bubble, fv, gp, pc) {\n\t\t\treturn\n\t\t}\n"),
		replace(bubble, "\t\twakep()\n\t})\n", "\t\twakep()\n\t})\n\tjqPoint(jqOpGo, 0)\n"),
		after(bubble, "\tgp.bubble = bubble\n\tdefer func() {\n\t\tgp.bubble = nil\n", "\t\tjqBubbleEnds(bubble)\n"),
		replace(bubble, "\t\t\tgp.bubble.timers.check(bubble.now, bubble)\n",
			"\t\t\tfires := jqFires(gp)\n\t\t\tgp.bubble.timers.check(bubble.now, bubble)\n\t\t\tjqFired(fires)\n"),
		replace(bubble, "\tif gp.timer != nil && gp.timer.isFake {\n", "\tif gp.timer != nil && gp.timer.isFake && !gp.timer.jqOwn {\n"),
		after(bubble, "\t\tpanic(\"goroutine is not in a bubble\")\n\t}\n", "\tjqPoint(jqOpIdle, 0)\n"),
		before("runtime/sema.go", "\t\t\tprintln(\"semaphore wake of synctest goroutine\", ", "\t\t\tjqFatal(\"semaphore wake of synctest goroutine from outside bubble\")\n").times(2),
	}
	// Go 1.25 panics here instead.
	for _, misuse := range []struct {
		file, text string
		count      int
	}{
		{"runtime/chan.go", "send on synctest channel from outside bubble", 2},
		{"runtime/chan.go", "close of synctest channel from outside bubble", 1},
		{"runtime/chan.go", "receive on synctest channel from outside bubble", 2},
		{"runtime/select.go", "select on synctest channel from outside bubble", 1},
		{"runtime/time.go", "stop of synctest timer from outside bubble", 1},
		{"runtime/time.go", "reset of synctest timer from outside bubble", 1},
	} {
		all = append(all, before(misuse.file, "fatal(\""+misuse.text+"\")\n", "jqFatal(\""+misuse.text+"\")\n\t\t").times(misuse.count).in("1.26 1.27"))
	}
	return all
}

// randomEdits make every random choice of the runtime repeatable: the process's choices
// come from a constant, a task's from the execution's seed.
func randomEdits() []edit {
	const rand, sysrand, trie = "runtime/rand.go", "crypto/internal/sysrand/rand.go", "internal/sync/hashtriemap.go"
	const maps = "internal/runtime/maps/table.go"
	const note = "\tjqNote(jqNoteRandom)\n"
	const drawn, draws = "//go:linkname runtime_rand runtime.rand\n", "//go:linkname runtime_rand runtime.jqDraw\n"
	return []edit{
		replace("math/rand/rand.go", drawn, draws),
		replace("math/rand/v2/rand.go", drawn, draws),
		after("hash/maphash/maphash.go", "func MakeSeed() Seed {\n", "\tjqDraws()\n"),
		after(rand, "func legacy_fastrand() uint32 {\n", note),
		after(rand, "func legacy_fastrandn(n uint32) uint32 {\n", note),
		after(rand, "func legacy_fastrand64() uint64 {\n", note),
		before(sysrand, "// fatal is [runtime.fatal], pushed via linkname.\n", "//go:linkname jqRead\nfunc jqRead(b []byte) bool\n\n"),
		after(sysrand, "func Read(b []byte) {\n", "\tif jqRead(b) {\n\t\treturn\n\t}\n"),
		replace(maps, "\tit.entryOffset = rand()\n", "\tit.entryOffset = rand() &^ jqSingle\n\tif m.used > 1 {\n\t\tjqRanges()\n\t} else {\n\t\tit.entryOffset |= jqSingle\n\t}\n"),
		before(maps, "\tif it.dirIdx < 0 {\n\t\t// Map was small at Init.\n", "\tif it.entryOffset&jqSingle != 0 {\n\t\tit.jqChoice()\n\t}\n"),
		before(trie, "// Range calls f sequentially", "//go:linkname jqMapRanges\nfunc jqMapRanges()\n\n"),
		after(trie, "Range(yield func(K, V) bool) {\n", "\tjqMapRanges()\n"),
		before(rand, "\tglobalRand.state.Init(*seed)\n", "\tclear(seed[:])\n"),
		before(rand, "\tmp := getg().m\n\tc := &mp.chacha8\n", "\tif jqSeeded() {\n\t\treturn jqRand()\n\t}\n"),
	}
}

// contextEdits make a context cancel its children in an order that is the same when a
// schedule is repeated.
func contextEdits() []edit {
	const context = "context/context.go"
	return []edit{
		// At the end, because reports recognise the parts of a context by their distance.
		after(context, "\tcause    error                 // set to non-nil by the first cancel call\n",
			"\tjqBirths int // children so far\n\tjqNumber int // among those of its parent\n"),
		before(context, "\t\t\tp.children[child] = struct{}{}\n", "\t\t\tp.jqBorn(child)\n"),
		replace(context, "\tfor child := range c.children {\n", "\tfor _, child := range jqShuffled(c.children) {\n"),
	}
}

// crashEdits turn what would end the process into the end of one task.
func crashEdits() []edit {
	const panics = "runtime/panic.go"
	return []edit{
		before(panics, "\tpreprintpanics(&p)\n", "\tjqPanic(p.arg)\n"),
		// Not in fatal itself, which must work where write barriers are not allowed.
		after(panics, "func sync_fatal(s string) {\n", "\tjqFatal(s)\n"),
		after(panics, "func internal_sync_fatal(s string) {\n", "\tjqFatal(s)\n"),
		after(panics, "func maps_fatal(s string) {\n", "\tjqFatal(s)\n"),
		before("runtime/stack.go", "\t\tif maxstacksize < maxstackceiling {\n\t\t\tprint(\"runtime: goroutine stack exceeds \"", "\t\tjqStackOverflow(gp)\n"),
	}
}

// sends returns the edit of a file with syscall.Kill.
func sends(file string) edit {
	const kill = "func Kill(pid int, sig Signal) (err error) {\n"
	return replace(file, kill, "func jqSends(signal uint32) func() // of runtime/jacquard_io.go\n\nvar jqPid = uintptr(Getpid())\n\n"+kill+
		"\tif pid == Getpid() {\n\t\tif deliver := jqSends(uint32(sig)); deliver != nil {\n\t\t\tgo deliver()\n\t\t\treturn nil\n\t\t}\n\t}\n")
}

// sendsRaw returns the edit of the system call by number, which Kill of package unix uses. A
// forked child that shares this memory has another process ID, so that the edit leaves it alone.
func sendsRaw() edit {
	const call = "func RawSyscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno) {\n"
	return after("syscall/syscall_linux.go", call,
		"\tif trap == SYS_KILL && a1 == jqPid {\n\t\tif deliver := jqSends(uint32(a2)); deliver != nil {\n\t\t\tgo deliver()\n\t\t\treturn\n\t\t}\n\t}\n")
}

// forget removes the channels of an execution whose body has not ended, and so has not
// called Stop: later executions would deliver signals to them, too. A task that has not
// ended may hold the lock.
const forget = "func jqForget() {\n\tif !handlers.TryLock() {\n\t\treturn\n\t}\n\tdefer handlers.Unlock()\n" +
	"\tfor c, h := range handlers.m {\n\t\tif !jqLost(c) {\n\t\t\tcontinue\n\t\t}\n\t\tdelete(handlers.m, c)\n" +
	"\t\tfor n := range numSig {\n\t\t\tif !h.want(n) {\n\t\t\t\tcontinue\n\t\t\t}\n" +
	"\t\t\tif handlers.ref[n]--; handlers.ref[n] == 0 {\n\t\t\t\tdisableSignal(n)\n\t\t\t}\n\t\t}\n\t}\n}\n\n"

// outsideEdits intercept what connects a task with its environment: the network, the
// end of the process.
func outsideEdits() []edit {
	const poll, proc, signals = "runtime/netpoll.go", "os/proc.go", "os/signal/signal_unix.go"
	return []edit{
		after(poll, "func poll_runtime_pollOpen(fd uintptr) (*pollDesc, int) {\n", "\tjqPollOpen(fd)\n"),
		after(poll, "func poll_runtime_pollWait(pd *pollDesc, mode int) int {\n", "\tjqPollWait(pd.fd)\n"),
		after(poll, "\t\tif gpp.CompareAndSwap(pdReady, pdNil) {\n", "\t\t\tjqPollIsReady(pd.fd, mode)\n"),
		replace(poll, "\t\td += nanotime()\n", "\t\td += jqPollNow(pd)\n"),
		replace(poll, "\tif rg != nil {\n\t\ttoRun.push(rg)\n", "\tif rg != nil && !jqNetReady(rg) {\n\t\ttoRun.push(rg)\n"),
		replace(poll, "\tif wg != nil {\n\t\ttoRun.push(wg)\n", "\tif wg != nil && !jqNetReady(wg) {\n\t\ttoRun.push(wg)\n"),
		after("runtime/sigqueue.go", "func signalWaitUntilIdle() {\n", "\tdefer jqShow(jqHide())\n"),
		after("runtime/sigqueue.go", "\t\tif atomic.Cas(&sig.mask[s/32], mask, mask|bit) {\n", "\t\t\tjqSignals.Add(1)\n"),
		before(signals, "func loop() {\n", "// Of runtime/jacquard_io.go.\nfunc jqSignalled()\nfunc jqDelivers(deliver, forget func())\nfunc jqSent() uint32\n\n"+
			"func deliver() {\n\tfor s := jqSent(); s != 0; s = jqSent() {\n\t\tprocess(syscall.Signal(s))\n\t}\n}\n\n"),
		after(signals, "\t\tprocess(syscall.Signal(signal_recv()))\n", "\t\tjqSignalled()\n"),
		after(signals, "\twatchSignalLoop = loop\n", "\tjqDelivers(deliver, jqForget)\n"),
		before("os/signal/signal.go", "func process(sig os.Signal) {\n", "// Of runtime/jacquard_io.go.\nfunc jqTakes(signal uint32) bool\nfunc jqLost(c any) bool\n\n"+forget),
		before("os/signal/signal.go", "\tfor c, h := range handlers.m {\n\t\tif h.want(n) {\n", "\tif !jqTakes(uint32(n)) {\n\t\treturn\n\t}\n"),
		before("os/signal/signal.go", "\tsignalWaitUntilIdle()\n", "\tdeliver()\n"),
		sends("syscall/zsyscall_linux_amd64.go"),
		sends("syscall/zsyscall_linux_arm64.go"),
		sendsRaw(),
		after("os/pidfd_linux.go", "func (p *Process) pidfdSendSignal(s syscall.Signal) error {\n", "\tif p.Pid == Getpid() {\n\t\treturn convertESRCH(syscall.Kill(p.Pid, s))\n\t}\n"),
		after("runtime/signal_unix.go", "func sigenable(sig uint32) {\n", "\tdefer jqShow(jqHide())\n"),
		after("runtime/signal_unix.go", "func sigdisable(sig uint32) {\n", "\tdefer jqShow(jqHide())\n"),
		after("runtime/runtime.go", "func syscall_Exit(code int) {\n", "\tjqQuit(code)\n"),
		after(proc, "func Exit(code int) {\n", "\tjqQuit(code)\n"),
		after("runtime/mstats.go", "import (\n", "\t\"internal/runtime/sys\"\n"),
		after("runtime/mstats.go", "func ReadMemStats(m *MemStats) {\n", "\tjqNote(jqNoteMemory)\n\tjqGosched(sys.GetCallerPC())\n"),
		after("runtime/proc.go", "func entersyscall() {\n", "\tjqCalls()\n"),
		after("runtime/cgocall.go", "func cgocall(fn, arg unsafe.Pointer) int32 {\n", "\tjqNote(jqNoteC)\n"),
		before("syscall/exec_unix.go", "func forkExec(", "//go:linkname jqForks\nfunc jqForks() // of runtime/jacquard_leftover.go\n\n"),
		after("syscall/exec_unix.go", "func forkExec(argv0 string, argv []string, attr *ProcAttr) (pid int, err error) {\n", "\tjqForks()\n"),
		before("internal/poll/fd_poll_runtime.go", "//go:linkname runtimeNano runtime.nanotime\n", "//go:linkname jqConnects\nfunc jqConnects() // of runtime/jacquard_leftover.go\n\n"),
		after("internal/poll/fd_unix.go", "func (fd *FD) Init(net string, pollable bool) error {\n", "\tif net != \"file\" {\n\t\tjqConnects()\n\t}\n"),
		before("os/pidfd_linux.go", "\t\"internal/syscall/unix\"\n", "\t\"internal/poll\"\n"),
		before("os/pidfd_linux.go", "\terr := ignoringEINTR(func() error {\n\t\treturn unix.Waitid(unix.P_PIDFD, int(handle), ", "\tpoll.JqAwait(handle)\n"),
		before(proc, "func runtime_beforeExit(", "func jqQuit(code int) // of runtime/jacquard_io.go\n\n"),
		replace("runtime/mprof.go", "\t\t\tif all {\n\t\t\t\ttracebackothers(gp)\n", "\t\t\tif all {\n\t\t\t\tjqTracebackOthers(gp)\n"),
		after("runtime/mprof.go", "\t\t// consistent with both NumGoroutine and Stack.\n", "\t\tif !jqSees(gp, gp1) {\n\t\t\treturn false\n\t\t}\n"),
		replace("runtime/mprof.go", "func Stack(buf []byte, all bool) int {\n\tvar stw worldStop\n\tif all {\n",
			"func Stack(buf []byte, all bool) int {\n\tjqTells()\n\tvar stw worldStop\n\tif all {\n\t\tjqCounts()\n"),
		before("runtime/mprof.go", "\treturn goroutineProfileWithLabelsConcurrent(p, labels)\n", "\tif jq.tasks != nil {\n\t\tjqCounts()\n\t\treturn goroutineProfileWithLabelsSync(p, labels)\n\t}\n"),
		after("runtime/metrics.go", "func readMetrics(samplesp unsafe.Pointer, len int, cap int) {\n", "\tjqCounts()\n"),
		after("runtime/metrics.go", "\t\tdata.compute(&agg, &sample.value)\n", "\t\tjqMeasured(sample.name, &sample.value.scalar)\n"),
		after("runtime/debug.go", "func NumGoroutine() int {\n", "\tjqCounts()\n\treturn jqCount(jqCountAll())\n}\n\nfunc jqCountAll() int {\n"),
	}
}

// collectorEdits keep the garbage collector out of an execution: waits of a task inside
// the runtime are not operations of the program, and settings that would make the
// collector run by itself, or goroutines run in parallel, have no effect.
func collectorEdits() []edit {
	const collect = "runtime/mgc.go"
	return []edit{
		after("runtime/mfinal.go", "func SetFinalizer(obj any, finalizer any) {\n", "\tjqCleans()\n"),
		after("runtime/mcleanup.go", "func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {\n", "\tjqCleans()\n"),
		after(collect, "import (\n", "\t\"internal/runtime/sys\"\n"),
		after(collect, "func GC() {\n", "\tjqGosched(sys.GetCallerPC())\n\tdefer jqCollected(jqCollects())\n"),
		replace(collect, "\tif poolcleanup != nil {\n", "\tif poolcleanup != nil && !jqKeepsPools() {\n"),
		after("runtime/mheap.go", "func internal_weak_runtime_registerWeakPointer(p unsafe.Pointer) unsafe.Pointer {\n", "\tjqNote(jqNoteWeak)\n\tjqCleans()\n"),
		replace(collect, "\t\t<-ready\n", "\t\tjqID := jqHide()\n\t\t<-ready\n\t\tjqShow(jqID)\n"),
		replace("runtime/sema.go", "\tsemacquire1(addr, false, 0, 0, waitReasonSemacquire)\n",
			"\tjqID := jqHide()\n\tsemacquire1(addr, false, 0, 0, waitReasonSemacquire)\n\tjqShow(jqID)\n"),
		after("runtime/mgcpacer.go", "func setGCPercent(in int32) (out int32) {\n",
			"\tif was, told := jqSet(jqGCPercent, int64(readGOGC()), int64(max(in, -1)), true); told {\n\t\treturn int32(was)\n\t}\n"),
		after("runtime/mgcpacer.go", "func setMemoryLimit(in int64) (out int64) {\n",
			"\tif was, told := jqSet(jqMemoryLimit, readGOMEMLIMIT(), in, in >= 0); told {\n\t\treturn was\n\t}\n"),
		// Garbage is collected rarely, so most memory is touched for the first time: in huge pages, where the system has them.
		after("runtime/mheap.go", "\tsysMap(unsafe.Pointer(v), nBase-v, &gcController.heapReleased, \"heap\")\n", "\tsysHugePage(unsafe.Pointer(v), nBase-v)\n"),
		after("runtime/rdebug.go", "func setMaxStack(in int) (out int) {\n",
			"\tif was, told := jqSet(jqMaxStack, 1000*1000*1000, int64(in), true); told {\n\t\treturn int(was)\n\t}\n"),
		after("runtime/debug.go", "func GOMAXPROCS(n int) int {\n",
			"\tif procs, told := jqMaxProcs(n); told {\n\t\treturn int(procs)\n\t}\n"),
		after("runtime/debug.go", "func SetDefaultGOMAXPROCS() {\n", "\tif jqDefaultProcs() {\n\t\treturn\n\t}\n"),
		after("runtime/debug.go", "func NumCPU() int {\n", "\tif procs := jqProcessors(); procs != 0 {\n\t\treturn procs\n\t}\n"),
	}
}

// detectorEdits let the race detector's Go code announce accesses before it makes them.
func detectorEdits() []edit {
	const race = "runtime/race.go"
	return []edit{
		replace(race, "//go:noescape\nfunc racereadpc(addr unsafe.Pointer, callpc, pc uintptr)\n\n//go:noescape\nfunc racewritepc(addr unsafe.Pointer, callpc, pc uintptr)\n", ""),
		after(race, "\t\"internal/abi\"\n", "\t\"internal/runtime/sys\"\n"),
		after(race, "func race_Read(addr unsafe.Pointer) {\n", "\tif pc := jqMisuse(sys.GetCallerPC()); pc != 0 {\n\t\tjqRaceReadPC(addr, 0, pc)\n\t\treturn\n\t}\n"),
		after(race, "func race_Write(addr unsafe.Pointer) {\n", "\tif pc := jqMisuse(sys.GetCallerPC()); pc != 0 {\n\t\tjqRaceWritePC(addr, 0, pc)\n\t\treturn\n\t}\n"),
		after(race, "func racemalloc(p unsafe.Pointer, sz uintptr) {\n", "\tif jqMemOn&jqMemVariables != 0 {\n\t\tjqMakes(p, sz)\n\t}\n"),
		after(race, "func racegostart(pc uintptr) uintptr {\n", "\tjqStarts++\n"),
		// The explorer, not testing, reports races within an execution.
		replace(race, "func race_Errors() int {\n\treturn RaceErrors()\n", "func race_Errors() int {\n\treturn jqRaceErrors()\n"),
		after(race, "func raceSymbolizeCode(ctx *symbolizeCodeContext) {\n\tpc := ctx.pc\n", "\tjqSymbolized(pc)\n"),
		after(race, "func racereadrangepc(addr unsafe.Pointer, sz, callpc, pc uintptr) {\n\tgp := getg()\n",
			"\tif jqMemOn != 0 {\n\t\tjqMeets(jqOpRead, uintptr(addr), sz, callpc)\n\t\tjqAccess(jqOpRead, uintptr(addr), sz, callpc, getg().stack.hi-getfp())\n\t}\n"),
		after(race, "func racewriterangepc(addr unsafe.Pointer, sz, callpc, pc uintptr) {\n\tgp := getg()\n",
			"\tif jqMemOn != 0 {\n\t\tjqMeets(jqOpWrite, uintptr(addr), sz, callpc)\n\t\tjqAccess(jqOpWrite, uintptr(addr), sz, callpc, getg().stack.hi-getfp())\n\t}\n"),
	}
}

func (e edit) times(n int) edit {
	e.count = n
	return e
}

func (e edit) in(releases string) edit {
	e.only = releases
	return e
}
