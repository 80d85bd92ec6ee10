package explore

import (
	"path"
	"slices"
	"strings"
)

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
			// The overlay's own declaration stands between TryLock and its point.
			if _, name, _ := strings.Cut(path.Base(f.function), "."); !strings.HasPrefix(name, "jq") {
				syncs = append(syncs, name)
			}
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
	name := atomicName(atomics)
	s.op, s.typ = "atomic."+name, atomicType(name)
	if len(syncs) > 0 {
		s.op, s.kind, s.offset = syncOperation(syncs, leaf)
		s.size, s.typ = 0, ""
		s.call = syncCall(syncs[len(syncs)-1])
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

// syncCall is the function of package sync that the program called, as in
// Cond.Wait, for the outermost one on the stack.
func syncCall(outermost string) string {
	parts := strings.Split(plainName(outermost), ".")
	switch {
	case !strings.HasPrefix(outermost, "(*"):
		return parts[0] // OnceFunc and its like return closures
	case len(parts) > 1 && parts[1] == "doSlow": // in what it has deferred
		return parts[0] + ".Do"
	}
	return strings.Join(parts[:min(2, len(parts))], ".")
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

// atomicTypes are the ends of the names of package atomic's functions.
var atomicTypes = []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Pointer"}

// atomicType is the type that an operation of package atomic is on.
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
