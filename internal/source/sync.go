package source

import (
	"path"
	"slices"
	"strings"
)

// classifyAtomic recognises operations of package sync by the functions that contain
// an atomic operation. inner are the frames of sync and sync/atomic, innermost
// first.
func classifyAtomic(s *Site, inner []Frame, told Steps) {
	var atomics, syncs []string
calls:
	for _, f := range inner {
		switch PackageOf(f.Function) {
		case "context":
			break calls // package sync may have been given a function of a context's, as by wg.Go(cancel)
		case "sync/atomic":
			atomics = append(atomics, strings.TrimPrefix(f.Function, "sync/atomic."))
		case "sync", "internal/sync":
			// The overlay's own function is between TryLock and its point.
			if _, name, _ := strings.Cut(path.Base(f.Function), "."); !strings.HasPrefix(name, "jq") {
				syncs = append(syncs, name)
			}
		}
	}
	leaf := ""
	if len(atomics) > 0 {
		leaf = atomics[0]
	}
	s.Size = atomicSize(leaf)
	s.Kind = SiteAtomicWrite
	if strings.HasPrefix(leaf, "Load") && !storesValue(atomics) {
		s.Kind = SiteAtomicRead
	}
	name := atomicName(atomics)
	s.Op, s.Type = "atomic."+name, atomicType(name)
	if len(syncs) > 0 {
		s.Op, s.Kind, s.Offset = syncOperation(syncs, leaf, told)
		s.Tries = strings.HasPrefix(syncs[len(syncs)-1], "(*RWMutex).Try")
		s.Size, s.Type = 0, ""
		s.Call = syncCall(syncs[len(syncs)-1])
	}
}

// Leaf returns the function of package sync/atomic that makes an operation, such as
// LoadInt64.
func Leaf(pcs []uintptr) string {
	for _, f := range Resolve(pcs) {
		if name, ok := strings.CutPrefix(f.Function, "sync/atomic."); ok {
			return name
		}
	}
	return ""
}

// Through reports whether a stack contains a function whose name ends in end.
func Through(pcs []uintptr, end string) bool {
	return slices.ContainsFunc(Resolve(pcs), func(f Frame) bool { return strings.HasSuffix(f.Function, end) })
}

// onlyAdds reports whether an operation adds to an atomic variable by a call used as a
// statement, so that its result is dropped: every addition on its line must be such a call.
func (l *Library) onlyAdds(s *Site) bool {
	name, ok := strings.CutPrefix(s.Op, "atomic.")
	if !ok || s.Call != "" || s.Kind != SiteAtomicWrite || !strings.Contains(name, "Add") {
		return false
	}
	if _, m, isMethod := strings.Cut(name, "."); isMethod {
		name = m
	}
	all, alone := l.open(s.User.File).calls(s.User.line, "Add")
	return strings.HasPrefix(name, "Add") && all > 0 && all == alone
}

// storesValue reports whether an operation is part of one that may change an
// atomic.Value: the first store happens while it cannot be preempted, after the load of
// the present value.
func storesValue(atomics []string) bool {
	switch atomics[len(atomics)-1] {
	case "(*Value).Store", "(*Value).Swap", "(*Value).CompareAndSwap":
		return true
	}
	return false
}

// syncCall returns the function of package sync that the program has called, such as
// Cond.Wait, from the outermost one on the stack.
func syncCall(outermost string) string {
	parts := strings.Split(plainName(outermost), ".")
	switch {
	case !strings.HasPrefix(outermost, "(*"):
		return parts[0] // OnceFunc and similar functions return closures
	case len(parts) > 1 && parts[1] == "doSlow": // in a deferred function
		return parts[0] + ".Do"
	}
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// syncOperation maps a function of package sync, and the atomic operation in it, to the
// one operation that the program sees. All others in the same function are inner:
// interleavings between them and the first are unobservable, except for the parts that
// told names.
func syncOperation(syncs []string, leaf string, told Steps) (op string, kind siteKind, offset uintptr) {
	const readerCount = 16 // offset of readerCount in RWMutex, after its Mutex and two semaphores
	const groupSema = 8    // offset of the semaphore in WaitGroup, after its state
	inner, outer := syncs[0], syncs[len(syncs)-1]
	if strings.HasPrefix(outer, "(*Pool)") {
		// Whether a pool locks the list of all pools depends on what the process
		// has done before, and on when garbage was collected.
		return "", SiteInner, 0
	}
	switch inner {
	case "(*Mutex).Lock", "(*Mutex).TryLock":
		if inner == "(*Mutex).TryLock" && leaf != "" {
			return "", SiteInner, 0 // the attempt has been announced already
		}
		if strings.HasPrefix(outer, "(*RWMutex)") {
			return "RW" + plainName(inner), SiteLock, 0
		}
		return plainName(inner), SiteLock, 0
	case "(*Mutex).Unlock":
		switch {
		case told.Locks && outer == "(*RWMutex).TryLock":
			return "RWMutex.TryLock, back", SiteUnlock, 0
		case told.Locks && strings.HasPrefix(outer, "(*RWMutex)"):
			return "RWMutex.Unlock, writers", SiteAtomicWrite, 0
		case strings.HasPrefix(outer, "(*RWMutex)"):
			return "", SiteInner, 0
		}
		return plainName(inner), SiteUnlock, 0
	case "(*RWMutex).RLock", "(*RWMutex).TryRLock":
		return plainName(inner), SiteRLock, readerCount
	case "(*RWMutex).RUnlock":
		return plainName(inner), SiteRUnlock, readerCount
	case "(*RWMutex).Unlock":
		return plainName(inner), SiteUnlock, readerCount
	case "(*RWMutex).TryLock":
		if told.Locks {
			return plainName(inner) + ", readers", SiteAtomicWrite, readerCount
		}
	case "(*RWMutex).Lock":
		if told.Locks {
			return plainName(inner) + ", readers", SiteAtomicWrite, readerCount
		}
	case "(*WaitGroup).Add":
		switch {
		case strings.HasPrefix(leaf, "Add") && slices.Contains(syncs, "(*WaitGroup).Done"):
			return plainName(outer), SiteDone, 0
		case strings.HasPrefix(leaf, "Add"):
			return plainName(outer), SiteAtomicWrite, 0
		case told.Groups && strings.HasPrefix(leaf, "Load"):
			return plainName(outer) + ", check", SiteAtomicRead, 0
		case told.Groups && strings.HasPrefix(leaf, "Store"):
			return plainName(outer) + ", release", SiteAtomicWrite, 0
		}
		return "", SiteInner, 0
	case "(*WaitGroup).Wait":
		if strings.HasPrefix(leaf, "Load") {
			return GroupWait, SiteAtomicRead, 0
		}
		return "", SiteInner, 0
	case "runtime_SemacquireWaitGroup":
		if told.Groups {
			return GroupWait, SiteAtomicWrite, groupSema
		}
	case "(*Once).Do":
		return "Once.Do", SiteAtomicRead, 0
	case "(*Once).doSlow":
		if strings.HasPrefix(leaf, "Load") {
			return "Once done", SiteAtomicRead, 0
		}
		return "Once done", SiteAtomicWrite, 0
	}
	for _, name := range []string{"(*Mutex)", "(*RWMutex)", "(*Pool)", "(*pool", "(*copyChecker)", "(*WaitGroup)", "(*Cond)", "indexLocal", "runtime_"} {
		if strings.HasPrefix(inner, name) {
			return "", SiteInner, 0
		}
	}
	if strings.HasPrefix(leaf, "Load") {
		return "sync." + plainName(outer), SiteAtomicRead, 0
	}
	return "sync." + plainName(outer), SiteAtomicWrite, 0
}

// groupPart reports whether an operation is a part of one on a wait group that only few
// programs can observe.
func (s *Site) groupPart() bool {
	return strings.HasPrefix(s.Call, "WaitGroup.") && (strings.Contains(s.Op, ", ") || s.Op == GroupWait && s.Kind == SiteAtomicWrite)
}

// BeginsWait reports whether an operation is the first look of a Wait at its group; false for nil.
func (s *Site) BeginsWait() bool { return s != nil && s.Op == GroupWait && s.Kind == SiteAtomicRead }

// GroupWait is the name of a wait for a wait group, and of its parts.
const GroupWait = "WaitGroup.Wait"

// plainName turns (*Mutex).Lock into Mutex.Lock, and drops type arguments, and the mark of a method value.
func plainName(function string) string {
	s := strings.NewReplacer("(*", "", ")", "").Replace(strings.TrimSuffix(function, "-fm"))
	if i := strings.IndexByte(s, '['); i >= 0 {
		j := strings.LastIndexByte(s, ']')
		s = s[:i] + s[j+1:]
	}
	return s
}

// atomicName returns the operation as the program wrote it: AddInt64, or Int64.Add for
// the types of sync/atomic.
func atomicName(atomics []string) string {
	if len(atomics) == 0 {
		return "operation"
	}
	return plainName(atomics[len(atomics)-1])
}

// atomicTypes are the suffixes of the names of package atomic's functions.
var atomicTypes = []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Pointer"}

// atomicType returns the type on which an operation of package atomic works.
func atomicType(name string) string {
	if typ, _, method := strings.Cut(name, "."); method {
		return typ
	}
	for _, typ := range slices.Backward(atomicTypes) { // Uint32 before Int32
		if strings.HasSuffix(name, typ) {
			return typ
		}
	}
	return ""
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
