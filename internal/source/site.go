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

// A Site is what is known of the code of a pending operation.
type Site struct {
	Op      string // "Mutex.Lock", "send", "atomic.Int64.Add"
	Kind    siteKind
	Offset  uintptr // of the operation's address in its object
	Size    uintptr // of the value, for atomics; 0 if unknown
	Type    string  // of the value, for atomics: "Int64", "Bool", "Pointer"
	Call    string  // of package sync that the operation is part of: "Cond.Wait"; "" if none
	ctx     string  // the function of package context that was called for it, such as "Err"; "" if none
	User    Frame   // the innermost frame that is the program's
	Package string  // of user

	Base   *Site             // the site of the same code; see sites.called
	key    siteKey           // by which base is known
	Hash   uint64            // of the key, relative to this program's text
	object string            // what its object is called
	Near   schedule.Nearness // to what a search is directed at
	Target uint8             // which of that

	standing
}

// Place is the hash of an operation's code; 0 if there is none.
func (s *Site) Place() uint64 {
	if s == nil {
		return 0
	}
	return s.Hash
}

// A standing is how much of a site is the program's, and so what is done with its
// operations.
type standing struct {
	Deep      bool          // user is further out than the key of the site reaches
	Unsure    bool          // it is inner because of user, and deep
	Self      bool          // it is the harness's own
	Foreign   bool          // it is not the program's, or there may be another number of its kind; see repeatable
	Tries     bool          // it is part of an attempt to take a lock for readers and writers
	reflected bool          // it is on a channel, and done by package reflect for another
	Within    bool          // it is part of an operation on a channel or of package sync
	Hidden    bool          // it is the standard library's own, and can be noticed
	Stream    *Site         // the site of the same code where it is on a standard stream
	Writes    bool          // of such a site: one system call follows
	Adds      bool          // it adds to an atomic variable, and nobody takes the result
	Trusted   bool          // it is in a package that Config.Trust names
	Gathered  bool          // it is part of a call that is one step; see gathered
	Entered   uintptr       // of these two: return address of the innermost call by others; 0 if there is none
	mode      schedule.Mode // how it works on its object
	shared    schedule.Mode // see Shared
}

// A siteKind sorts operations by what they do to their object.
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

// frames resolves return addresses, inlined functions included, innermost
// first.
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

// PackageOf is the import path in a function's name.
func PackageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments have paths of their own
	slash := strings.LastIndexByte(function, '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return function
	}
	return function[:slash+1+dot]
}

// harness reports whether a package is one whose functions tasks run for the
// harness. Their frames are not the program's either.
func harness(pkg string) bool {
	switch rest, ok := strings.CutPrefix(pkg, ownRoot); rest {
	case "explore", "internal/engine", "internal/linear", "internal/system":
		return ok
	}
	return false
}

// Machinery reports whether a package is one in which points live but which is
// never the program: the point is its caller's.
func Machinery(pkg string) bool {
	switch pkg {
	case "context", "time", "runtime", "sync", "sync/atomic", "internal/sync", "internal/race", "internal/reflectlite",
		"internal/synctest", "testing/synctest":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/") && Standard(pkg) || harness(pkg)
}

// classify says what a pending operation is, from its stack. told are the
// parts of operations that have points of their own.
func classify(op control.Op, pcs []uintptr, told Steps) Site {
	all := Resolve(pcs)
	s := Site{Op: op.String()}
	i := len(Below(all))
	if onChannel(op) { // a channel is never one of package reflect's own
		for i < len(all) && PackageOf(all[i].Function) == "reflect" {
			i, s.reflected = i+1, true
		}
	}
	if i < len(all) {
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

// EmptySelect is what a select without cases is called.
const EmptySelect = "select {}"

// Waiting is the site of a wait that was not announced, by the stack of who waits.
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

// timerCall is the method of package time by which a timer is stopped or reset.
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

// keepsApart reports whether an operation is one on which the standard library's
// packages, all of them, make nothing depend that the program could tell: what they
// keep in pools, and when they look at the clock.
func (s *Site) keepsApart(op control.Op) bool {
	return (op == control.OpPool || op == control.OpClock) && (Standard(s.Package) || s.Package == "")
}

// contextCall is the last name of the function of package context by which it was
// called, or "".
func contextCall(inner []Frame) string {
	for _, f := range slices.Backward(inner) {
		if PackageOf(f.Function) == "context" {
			return f.Function[strings.LastIndexByte(f.Function, '.')+1:]
		}
	}
	return ""
}

// Below are the frames of a stack inside the program's.
func Below(all []Frame) []Frame {
	for i, f := range all {
		if !Machinery(PackageOf(f.Function)) {
			return all[:i]
		}
	}
	return all
}

func InHarness(inner []Frame) bool {
	return harnessFrame(inner) != ""
}

// harnessFrame is the innermost function of the harness in a stack, or "".
func harnessFrame(inner []Frame) string {
	for _, f := range inner {
		if harness(PackageOf(f.Function)) {
			return f.Function
		}
	}
	return ""
}

// ofHarness reports whether an operation of package sync or sync/atomic, called
// by the harness, is the harness's own, such as that of the wait group behind
// T.Wait. It is the program's if it is itself what a goroutine was given to run.
func ofHarness(op string, inner []Frame) bool {
	caller := harnessFrame(inner)
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
func looksUp(inner []Frame) bool {
	return slices.ContainsFunc(inner, func(f Frame) bool { return PackageOf(f.Function) == "time" })
}

// partOfOperation reports whether inner frames are those of an operation that
// has a point of its own.
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

// copies is the name of an access to the elements of a slice or a string.
const copies = "copy"

// accessName names a plain access that the runtime does for the program.
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
