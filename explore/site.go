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
	typ    string  // of the value, for atomics: "Int64", "Bool", "Pointer"
	call   string  // of package sync that the operation is part of: "Cond.Wait"; "" if none
	ctx    string  // the function of package context that was called for it, such as "Err"; "" if none
	user   frame   // the innermost frame that is the program's
	pkg    string  // of user

	base   *site   // the site of the same code; see sites.called
	key    siteKey // by which base is known
	hash   uint64  // of the key, relative to this program's text
	object string  // what its object is called

	deep     bool    // user is further out than the key of the site reaches
	unsure   bool    // it is inner because of user, and deep
	self     bool    // it is the harness's own
	within   bool    // it is part of an operation on a channel or of package sync
	hidden   bool    // it is the standard library's own, and can be noticed
	stream   *site   // the site of the same code where it is on a standard stream
	writes   bool    // of such a site: one system call follows
	trusted  bool    // it is in a package that Config.Trust names
	gathered bool    // it is part of a call that is one step; see gathered
	entered  uintptr // of these two: return address of the innermost call by others; 0 if there is none
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
	case selfPkg, "context", "time", "runtime", "sync", "sync/atomic", "internal/sync", "internal/race", "internal/reflectlite",
		"internal/synctest", "testing/synctest":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/")
}

// classify says what a pending operation is, from its stack.
func classify(op control.Op, pcs []uintptr) site {
	all := resolve(pcs)
	s := site{op: op.String()}
	i := len(below(all))
	if i < len(all) {
		s.user = all[i]
		s.pkg = packageOf(all[i].function)
	}
	s.ctx = contextCall(all[:i])
	switch op {
	case control.OpAtomic:
		classifyAtomic(&s, all[:i])
		switch {
		case ofHarness(s.op, all[:i]):
			s.kind, s.self = siteInner, true
		case looksUp(all[:i]):
			s.kind = siteInner
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

// contextCall is the last name of the function of package context by which it was
// called, or "".
func contextCall(inner []frame) string {
	for _, f := range slices.Backward(inner) {
		if packageOf(f.function) == "context" {
			return f.function[strings.LastIndexByte(f.function, '.')+1:]
		}
	}
	return ""
}

// below are the frames of a stack inside the program's.
func below(all []frame) []frame {
	for i, f := range all {
		if !machinery(packageOf(f.function)) {
			return all[:i]
		}
	}
	return all
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

// looksUp reports whether an operation of package sync or sync/atomic is package
// time's own, which finds out about time zones once. Timers are others.
func looksUp(inner []frame) bool {
	return slices.ContainsFunc(inner, func(f frame) bool { return packageOf(f.function) == "time" })
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
