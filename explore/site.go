package explore

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A frame is one function of a stack.
type frame struct {
	function string // as the runtime names it
	file     string
	line     int
}

// A site is what is known of the code of a pending operation.
type site struct {
	op     string // "Mutex.Lock", "send", "atomic.Int64.Add"
	kind   siteKind
	offset uintptr // of the operation's address in its object
	size   uintptr // of the value, for atomics; 0 if unknown
	user   frame   // the innermost frame that is the program's
	pkg    string  // of user

	base   *site   // the site of the same code; see sites.called
	key    siteKey // by which base is known
	hash   uint64  // of the key, relative to this program's text
	object string  // what its object is called

	deep    bool    // user is further out than the key of the site reaches
	unsure  bool    // it is inner because of user, and deep
	self    bool    // it is the harness's own
	within  bool    // it is part of an operation on a channel or of package sync
	hidden  bool    // it is the standard library's own, and can be noticed
	trusted bool    // it is in a package that Config.Trust names
	call    uintptr // then: return address of the innermost call by others; 0 if there is none
}

// A siteKind sorts operations by what they do to their object.
type siteKind uint8

const (
	siteOther siteKind = iota
	siteInner          // part of a larger operation: no point
	siteLock
	siteRLock
	siteUnlock
	siteRUnlock
	siteAtomicRead
	siteAtomicWrite
	siteRead
	siteWrite
	siteChannel
	siteGo
	siteDone // of a WaitGroup
)

// frames resolves return addresses, inlined functions included, innermost
// first.
func resolve(pcs []uintptr) []frame {
	if len(pcs) == 0 {
		return nil
	}
	var all []frame
	it := runtime.CallersFrames(pcs)
	for {
		f, more := it.Next()
		if f.Function != "" {
			all = append(all, frame{function: f.Function, file: f.File, line: f.Line})
		}
		if !more {
			return all
		}
	}
}

// packageOf is the import path in a function's name.
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments have paths of their own
	slash := strings.LastIndexByte(function, '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return function
	}
	return function[:slash+1+dot]
}

// selfPkg is this package, whose frames are not the program's either.
const selfPkg = "github.com/jacquard-go/jacquard/explore"

// machinery reports whether a package is one in which points live but which is
// never the program: the point is its caller's.
func machinery(pkg string) bool {
	switch pkg {
	case selfPkg, "context", "time", "runtime", "sync", "sync/atomic", "internal/sync", "internal/race", "internal/reflectlite":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/")
}

// classify says what a pending operation is, from its stack.
func classify(op control.Op, pcs []uintptr) site {
	all := resolve(pcs)
	s := site{op: op.String()}
	i := 0
	for i < len(all) && machinery(packageOf(all[i].function)) {
		i++
	}
	if i < len(all) {
		s.user = all[i]
		s.pkg = packageOf(all[i].function)
	}
	switch op {
	case control.OpAtomic:
		classifyAtomic(&s, all[:i])
		if ofHarness(s.op, all[:i]) {
			s.kind, s.self = siteInner, true
		}
	case control.OpGo:
		s.kind = siteGo
	case control.OpRead, control.OpWrite:
		s.within = partOfOperation(all[:i])
	}
	switch op {
	case control.OpRead:
		s.kind, s.op = siteRead, accessName(all[:i], "read")
	case control.OpWrite:
		s.kind, s.op = siteWrite, accessName(all[:i], "write")
	case control.OpSend, control.OpRecv, control.OpClose, control.OpSelect, control.OpTrySend, control.OpTryRecv:
		s.kind = siteChannel
	case control.OpSignal:
		s.op = "Cond.Signal"
	case control.OpBroadcast:
		s.op = "Cond.Broadcast"
	case control.OpCondWait:
		s.op = "Cond.Wait"
	}
	return s
}

func inSelf(inner []frame) bool {
	return selfFrame(inner) != ""
}

// selfFrame is the innermost function of this package in a stack, or "".
func selfFrame(inner []frame) string {
	for _, f := range inner {
		if packageOf(f.function) == selfPkg {
			return f.function
		}
	}
	return ""
}

// ofHarness reports whether an operation of package sync or sync/atomic, called
// from this package, is the harness's own, such as that of the wait group behind
// T.Wait. It is the program's if it is itself what a goroutine was given to run.
func ofHarness(op string, inner []frame) bool {
	caller := selfFrame(inner)
	switch {
	case caller == "":
		return false
	case strings.HasSuffix(caller, ".(*T).Go.func1"): // calls f, and then Done
		return op == "" || strings.HasPrefix(op, "WaitGroup")
	case strings.HasSuffix(caller, ").do"): // of History: calls apply
		return false
	}
	return true
}

// partOfOperation reports whether inner frames are those of an operation that
// has a point of its own.
func partOfOperation(inner []frame) bool {
	return slices.ContainsFunc(inner, func(f frame) bool {
		switch packageOf(f.function) {
		case "sync", "internal/sync":
			return true
		case "runtime":
			_, name, _ := strings.Cut(path.Base(f.function), ".")
			return strings.HasPrefix(name, "chan") || strings.HasPrefix(name, "closechan") || strings.HasPrefix(name, "select")
		}
		return false
	})
}

// accessName names a plain access that the runtime does for the program.
func accessName(inner []frame, access string) string {
	for _, f := range inner {
		_, name, _ := strings.Cut(path.Base(f.function), ".")
		switch {
		case strings.HasPrefix(name, "map"):
			return "map " + access
		case name == "growslice":
			return "append"
		case strings.HasPrefix(name, "slice"):
			return "copy"
		}
	}
	return access
}

// classifyAtomic recognises the operations of package sync by the functions
// that an atomic operation is part of. inner are the frames of sync and
// sync/atomic, innermost first.
func classifyAtomic(s *site, inner []frame) {
	var atomics, syncs []string
	for _, f := range inner {
		switch packageOf(f.function) {
		case "sync/atomic":
			atomics = append(atomics, strings.TrimPrefix(f.function, "sync/atomic."))
		case "sync", "internal/sync":
			_, name, _ := strings.Cut(path.Base(f.function), ".")
			syncs = append(syncs, name)
		}
	}
	leaf := ""
	if len(atomics) > 0 {
		leaf = atomics[0]
	}
	s.size = atomicSize(leaf)
	s.kind = siteAtomicWrite
	if strings.HasPrefix(leaf, "Load") && !storesValue(atomics) {
		s.kind = siteAtomicRead
	}
	s.op = "atomic." + atomicName(atomics)
	if len(syncs) > 0 {
		s.op, s.kind, s.offset = syncOperation(syncs, leaf)
		s.size = 0
	}
}

// storesValue reports whether an operation is part of one that may change an
// atomic.Value: the first time it does so while it cannot be stopped, behind the
// look at what is there.
func storesValue(atomics []string) bool {
	switch atomics[len(atomics)-1] {
	case "(*Value).Store", "(*Value).Swap", "(*Value).CompareAndSwap":
		return true
	}
	return false
}

// syncOperation maps a function of package sync, and the atomic operation in
// it, to the one operation that the program sees. All others in the same
// function are inner: nothing can usefully happen between them and the first.
func syncOperation(syncs []string, leaf string) (op string, kind siteKind, offset uintptr) {
	const readerCount = 16 // of RWMutex, behind its Mutex and two semaphores
	inner, outer := syncs[0], syncs[len(syncs)-1]
	if strings.HasPrefix(outer, "(*Pool)") {
		// Whether a pool locks the list of all pools depends on what the process
		// has done before, and on when garbage was collected.
		return "", siteInner, 0
	}
	switch inner {
	case "(*Mutex).Lock", "(*Mutex).TryLock":
		if inner == "(*Mutex).TryLock" && leaf != "" {
			return "", siteInner, 0 // the attempt has been announced before
		}
		if strings.HasPrefix(outer, "(*RWMutex)") {
			return "RW" + plainName(inner), siteLock, 0
		}
		return plainName(inner), siteLock, 0
	case "(*Mutex).Unlock":
		if strings.HasPrefix(outer, "(*RWMutex)") {
			return "", siteInner, 0
		}
		return plainName(inner), siteUnlock, 0
	case "(*RWMutex).RLock", "(*RWMutex).TryRLock":
		return plainName(inner), siteRLock, readerCount
	case "(*RWMutex).RUnlock":
		return plainName(inner), siteRUnlock, readerCount
	case "(*RWMutex).Unlock":
		return plainName(inner), siteUnlock, readerCount
	case "(*WaitGroup).Add":
		if strings.HasPrefix(leaf, "Add") {
			if slices.Contains(syncs, "(*WaitGroup).Done") {
				return plainName(outer), siteDone, 0
			}
			return plainName(outer), siteAtomicWrite, 0
		}
		return "", siteInner, 0
	case "(*WaitGroup).Wait":
		if strings.HasPrefix(leaf, "Load") {
			return "WaitGroup.Wait", siteAtomicRead, 0
		}
		return "", siteInner, 0
	case "(*Once).Do":
		return "Once.Do", siteAtomicRead, 0
	case "(*Once).doSlow":
		if strings.HasPrefix(leaf, "Load") {
			return "Once done", siteAtomicRead, 0
		}
		return "Once done", siteAtomicWrite, 0
	}
	for _, name := range []string{"(*Mutex)", "(*RWMutex)", "(*Pool)", "(*pool", "(*copyChecker)", "(*WaitGroup)", "(*Cond)", "indexLocal", "runtime_"} {
		if strings.HasPrefix(inner, name) {
			return "", siteInner, 0
		}
	}
	if strings.HasPrefix(leaf, "Load") {
		return "sync." + plainName(outer), siteAtomicRead, 0
	}
	return "sync." + plainName(outer), siteAtomicWrite, 0
}

// plainName turns (*Mutex).Lock into Mutex.Lock, and drops type arguments.
func plainName(function string) string {
	s := strings.NewReplacer("(*", "", ")", "").Replace(function)
	if i := strings.IndexByte(s, '['); i >= 0 {
		j := strings.LastIndexByte(s, ']')
		s = s[:i] + s[j+1:]
	}
	return s
}

// atomicName is the operation as the program wrote it: AddInt64, or
// Int64.Add for the types of sync/atomic.
func atomicName(atomics []string) string {
	if len(atomics) == 0 {
		return "operation"
	}
	return plainName(atomics[len(atomics)-1])
}

func atomicSize(leaf string) uintptr {
	switch {
	case strings.HasSuffix(leaf, "32"):
		return 4
	case leaf == "":
		return 0
	}
	return 8
}
