package source

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A Frame is one function of a stack.
type Frame struct {
	Function string // as the runtime names it
	File     string
	line     int
}

// A Site describes the code of a pending operation.
type Site struct {
	Op      string // "Mutex.Lock", "send", "atomic.Int64.Add"
	Kind    siteKind
	Offset  uintptr // of the operation's address within its object
	Size    uintptr // of the value, for atomics; 0 if unknown
	Type    string  // of the value, for atomics: "Int64", "Bool", "Pointer"
	Call    string  // function of package sync that contains the operation: "Cond.Wait"; "" if none
	ctx     string  // function of package context that was called, such as "Err"; "" if none
	User    Frame   // the innermost frame of the program
	Package string  // of User

	Base   *Site             // the site of the same code without its callers; see Sites.called
	key    siteKey           // the key of Base in Sites.known
	Hash   uint64            // of key, relative to this program's text
	object string            // kind of its object
	Near   schedule.Nearness // to the targets of a search
	Target uint8             // index of the nearest target

	standing
}

// Place returns the hash of an operation's code; 0 for nil.
func (s *Site) Place() uint64 {
	if s == nil {
		return 0
	}
	return s.Hash
}

// A standing says to what extent a site belongs to the program, and thus how its
// operations are treated.
type standing struct {
	Deep      bool          // User is further out than the site's key reaches
	Self      bool          // it belongs to the harness
	Foreign   bool          // it is outside of the program, or the number of such operations may vary; see repeatable
	Tries     bool          // it is part of an attempt to take a lock for readers and writers
	reflected bool          // it is on a channel, or was called, through package reflect
	Within    bool          // it is part of an operation on a channel or of package sync
	Hidden    bool          // it belongs to the standard library, and is observable
	Stream    *Site         // the same site for a standard stream
	Writes    bool          // on a stream site: one write system call follows
	Adds      bool          // it adds to an atomic variable, and the result is dropped
	Trusted   bool          // it is in a package that Config.Trust names
	Gathered  bool          // it is part of a call that is one step; see the variable gathered
	Entered   uintptr       // if Trusted: return address of the innermost call by other code; if Gathered: a hash of that and of all further out; 0 if there is none
	mode      schedule.Mode // see Mode
	shared    schedule.Mode // see Shared
}

// A siteKind classifies operations by what they do to their object.
type siteKind uint8

const (
	SiteOther siteKind = iota
	SiteInner          // part of a larger operation: no point
	SiteLock
	SiteRLock
	SiteUnlock
	SiteRUnlock
	SiteAtomicRead
	SiteAtomicWrite
	SiteRead
	SiteWrite
	SiteChannel
	SiteGo
	SiteDone // of a WaitGroup
	SiteFileRead
	SiteFileWrite
	siteLen // of a channel
)

// Resolve returns the frames of return addresses, including inlined functions,
// innermost first.
func Resolve(pcs []uintptr) []Frame {
	if len(pcs) == 0 {
		return nil
	}
	var all []Frame
	it := runtime.CallersFrames(pcs)
	for {
		f, more := it.Next()
		if f.Function != "" {
			all = append(all, Frame{Function: f.Function, File: folders.name(f.File), line: f.Line})
		}
		if !more {
			return all
		}
	}
}

// PackageOf returns the import path in a function's name.
func PackageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments contain paths, too
	slash := strings.LastIndexByte(function, '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return function
	}
	return function[:slash+1+dot]
}

// Own reports whether a package is the program's: neither in the standard library nor of the harness.
func Own(pkg string) bool { return !Standard(pkg) && !harness(pkg) }

// harness reports whether a package belongs to the harness's code that runs on tasks.
// Its frames are not the program's.
func harness(pkg string) bool {
	switch rest, ok := strings.CutPrefix(pkg, ownRoot); rest {
	case "explore", "internal/engine", "internal/linear", "internal/system":
		return ok
	}
	return false
}

// Machinery reports whether a package contains points but is never the program: such a
// point belongs to the package's caller.
func Machinery(pkg string) bool {
	switch pkg {
	case "context", "time", "runtime", "sync", "sync/atomic", "internal/sync", "internal/race", "internal/reflectlite",
		"internal/synctest", "testing/synctest":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/") && Standard(pkg) || harness(pkg)
}

// classify describes a pending operation, from its stack. told says which operations
// have points for their parts.
func classify(op control.Op, pcs []uintptr, told Steps) Site {
	all := Resolve(pcs)
	s := Site{Op: op.String()}
	i := len(Below(all))
	if onChannel(op) || op != control.OpPool && i < len(all) && calls(all[i].Function) { // a channel, or what is called, never belongs to package reflect itself
		for i < len(all) && PackageOf(all[i].Function) == "reflect" {
			i, s.reflected = i+1, true
		}
	}
	if i < len(all) && all[i].Function != "testing.jqCalls" { // that calls what the program has passed to T.Cleanup
		s.User = all[i]
		s.Package = PackageOf(all[i].Function)
	}
	s.ctx = contextCall(all[:i])
	switch op {
	case control.OpAtomic:
		classifyAtomic(&s, all[:i], told)
		switch {
		case ofHarness(s.Op, all[:i]):
			s.Kind, s.Self = SiteInner, true
		case looksUp(all[:i]):
			s.Kind = SiteInner
		}
	case control.OpGo:
		s.Kind = SiteGo
	case control.OpRead, control.OpWrite:
		s.Within = partOfOperation(all[:i])
	}
	switch op {
	case control.OpRead:
		s.Kind, s.Op = SiteRead, accessName(all[:i], "read")
	case control.OpWrite:
		s.Kind, s.Op = SiteWrite, accessName(all[:i], "write")
	case control.OpSend, control.OpRecv, control.OpClose, control.OpSelect, control.OpTrySend, control.OpTryRecv:
		s.Kind = SiteChannel
	case control.OpTimer:
		s.Op = timerCall(all[:i])
	case control.OpLen:
		s.Kind = siteLen
	case control.OpPool:
		s.Op, s.Call = "Pool.Get", "Pool.Get"
		if slices.ContainsFunc(all[:i], func(f Frame) bool { return f.Function == "sync.(*Pool).Put" }) {
			s.Op, s.Call = "Pool.Put", "Pool.Put"
		}
	case control.OpSignal:
		s.Op = "Cond.Signal"
	case control.OpBroadcast:
		s.Op = "Cond.Broadcast"
	case control.OpCondWait:
		s.Op = "Cond.Wait"
	}
	return s
}

// EmptySelect is the name of a select without cases.
const EmptySelect = "select {}"

// Waiting returns the site of a wait that was not announced, from the stack of the waiting task.
func Waiting(reason string, pcs []uintptr) Site {
	all := Resolve(pcs)
	inner := Below(all)
	s := Site{Op: reason, standing: standing{Self: InHarness(inner)}}
	if len(inner) < len(all) {
		s.User = all[len(inner)]
		s.Package = PackageOf(s.User.Function)
	}
	if reason == "select (no cases)" {
		s.Op = EmptySelect
	}
	return s
}

// InContext reports whether the operation is one of package context itself.
func (s *Site) InContext() bool { return s.ctx != "" }

// timerCall returns the method of package time that stops or resets a timer.
func timerCall(inner []Frame) string {
	for _, f := range inner {
		if method, ok := strings.CutPrefix(f.Function, "time."); ok && strings.HasPrefix(method, "(*") {
			return plainName(method)
		}
	}
	return control.OpTimer.String()
}

// onChannel reports whether an operation is on a channel, or a select.
func onChannel(op control.Op) bool {
	return op >= control.OpSend && op <= control.OpTryRecv || op == control.OpLen
}

// calls reports whether a function of package reflect calls functions of the program. It uses a
// pool for that, and no other synchronisation.
func calls(function string) bool {
	return function == "reflect.Value.call" || function == "reflect.callMethod"
}

// keepsApart reports whether an operation of the standard library is a use of a pool or
// a look at the clock. No standard package makes anything that the program can observe
// depend on these.
func (s *Site) keepsApart(op control.Op) bool {
	return (op == control.OpPool || op == control.OpClock) && (Standard(s.Package) || s.Package == "")
}

// contextCall returns the last name of the outermost function of package context on the
// stack, or "".
func contextCall(inner []Frame) string {
	for _, f := range slices.Backward(inner) {
		if PackageOf(f.Function) == "context" {
			return f.Function[strings.LastIndexByte(f.Function, '.')+1:]
		}
	}
	return ""
}

// Generated is the file of code that has no source, such as of a method that is promoted from what
// is embedded.
const Generated = "<autogenerated>"

// Below returns the frames of a stack below the program's innermost frame, one with a source if
// there is any.
func Below(all []Frame) []Frame {
	below := all
	for i, f := range all {
		switch {
		case Machinery(PackageOf(f.Function)):
		case f.File != Generated:
			return all[:i]
		case len(below) == len(all):
			below = all[:i]
		}
	}
	return below
}

func InHarness(inner []Frame) bool {
	return harnessFrame(inner) != ""
}

// harnessFrame returns the innermost function of the harness on a stack, or "".
func harnessFrame(inner []Frame) string {
	for _, f := range inner {
		if harness(PackageOf(f.Function)) {
			return f.Function
		}
	}
	return ""
}

// ofHarness reports whether an operation of package sync or sync/atomic that the
// harness has called is the harness's own, such as on the wait group of T.Wait. It is
// the program's if a goroutine was given the operation itself to run.
func ofHarness(op string, inner []Frame) bool {
	caller := harnessFrame(inner)
	switch {
	case caller == "":
		return false
	case strings.HasSuffix(caller, ".(*T).Go.func1"): // it calls f, and then Done
		return op == "" || strings.HasPrefix(op, "WaitGroup")
	case strings.HasSuffix(caller, ").do"): // a History calls apply
		return false
	}
	return true
}

// looksUp reports whether an operation of package sync or sync/atomic belongs to
// package time, which loads time zones once. Timers do not use such operations.
func looksUp(inner []Frame) bool {
	return slices.ContainsFunc(inner, func(f Frame) bool { return PackageOf(f.Function) == "time" })
}

// partOfOperation reports whether inner frames belong to an operation that has a point
// of its own.
func partOfOperation(inner []Frame) bool {
	return slices.ContainsFunc(inner, func(f Frame) bool {
		switch PackageOf(f.Function) {
		case "sync", "internal/sync":
			return true
		case "runtime":
			_, name, _ := strings.Cut(path.Base(f.Function), ".")
			return strings.HasPrefix(name, "chan") || strings.HasPrefix(name, "closechan") || strings.HasPrefix(name, "select")
		}
		return false
	})
}

// copies is the name of an access to the elements of a slice or string.
const copies = "copy"

// accessName names a plain access that the runtime makes for the program.
func accessName(inner []Frame, access string) string {
	for _, f := range inner {
		_, name, _ := strings.Cut(path.Base(f.Function), ".")
		switch {
		case strings.HasPrefix(name, "map"):
			return "map " + access
		case name == "growslice":
			return "append"
		case strings.HasPrefix(name, "slice"):
			return copies
		}
	}
	return access
}
