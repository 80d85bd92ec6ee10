package source

import (
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// trusted are the packages of the standard library whose inner
// synchronisation the program cannot observe: caches, buffers, reference
// counts of files.
var trusted = []string{
	"bufio", "bytes", "crypto/...", "encoding/...", "errors", "fmt", "hash/...", "internal/...", "io", "io/...", "log", "log/...",
	"math/...", "os", "os/...", "path/...", "reflect", "regexp/...", "sort", "strconv", "strings", "syscall", "testing", "testing/...", "text/...", "unicode/...", "unique", "vendor/...",
}

// observed are functions of trusted packages that synchronise more than caches: the
// program shares their objects, and can observe the order of accesses.
var observed = []string{
	"crypto/tls.(*Config).", "crypto/tls.(*Conn).", "crypto/tls.(*QUICConn).", "crypto/tls.(*client", "crypto/tls.(*server",
	"crypto/tls.(*lruSessionCache).",
	"encoding/gob.(*Decoder).", "encoding/gob.(*Encoder).", "encoding/gob.RegisterName",
	"io.(*onceError).", "io.(*pipe).", "math/rand.(*lockedSource).", "os/signal.", "syscall.Kill",
	"text/template.(*Template).", "text/template.findFunction",
}

// Matches reports whether a package matches one of the patterns.
func Matches(patterns []string, pkg string) bool {
	for _, p := range patterns {
		if p == pkg {
			return true
		}
		if base, ok := strings.CutSuffix(p, "/..."); ok && (pkg == base || strings.HasPrefix(pkg, base+"/")) {
			return true
		}
	}
	return false
}

// ownRoot is the prefix of the import paths of this module's packages. In a guest it is
// a path in the standard library.
const ownRoot = "github.com/jacquard-go/jacquard/"

// installed are the packages of the Go installation that has built the program.
var installed = sync.OnceValue(func() map[string]bool {
	all := make(map[string]bool)
	for pkg := range strings.Lines(control.Standard()) {
		all[strings.TrimSuffix(pkg, "\n")] = true
	}
	return all
})

// Standard reports whether a package belongs to the standard library. Its path does not
// tell: a module may be called math/bank, or internal/shop.
func Standard(pkg string) bool {
	return installed()[pkg] || strings.HasPrefix(ownRoot, "internal/") && strings.HasPrefix(pkg, ownRoot)
}

// Utility reports whether a package belongs to trusted.
func Utility(pkg string) bool { return Matches(trusted, pkg) && Standard(pkg) }

// A siteKey identifies a site by its innermost return addresses, as the runtime's half
// does.
type siteKey struct {
	op  control.Op
	pcs [4]uintptr
}

// Sites caches classified sites. It is used by the controller only.
type Sites struct {
	Lib       *Library
	callees   map[uintptr]string // go statement → what it calls
	borrows   map[uintptr]bool   // first instruction → see Borrowed
	borrowers map[uint64]string  // stack → see Borrower
	known     map[siteKey]*Site
	near      [256]*Site       // cache of known, by slot
	starts    map[uintptr]bool // go statement → it belongs to trusted code
	deep      stacks           // sites in trusted code
	whole     stacks           // sites whose keys are ambiguous
	asked
	streams []uintptr
	Used    map[string]bool  // packages beyond the standard library in which a point was left out
	Hidden  map[string]bool  // packages of the standard library, other than caches, in which points were left out
	waits   map[uintptr]bool // return address → it is in Cond.Wait
	Told    Steps
}

// asked is the part of the settings that concerns places in the code.
type asked struct {
	trusted []string // packages: see Matches
	targets []string // see aimed
}

// Steps says for which operations the program can observe the parts.
type Steps struct {
	Locks  bool // for readers and writers
	Groups bool // sync.WaitGroup
	Logs   bool // calls of loggers
}

func NewSites(trust []string, more []*os.File, targets []string) *Sites {
	control.ClearSkip()
	tellOwn(trust)
	return &Sites{Lib: newLibrary(), callees: make(map[uintptr]string), borrows: make(map[uintptr]bool), borrowers: make(map[uint64]string), known: make(map[siteKey]*Site), deep: stacks{known: make(map[uint64]*Site)}, whole: stacks{known: make(map[uint64]*Site)}, starts: make(map[uintptr]bool), asked: asked{trusted: trust, targets: targets}, streams: streams(more), Used: make(map[string]bool), Hidden: make(map[string]bool), waits: make(map[uintptr]bool)}
}

// stacks are sites by [control.Task.StackHash]. A lookup in near misses
// the processor's cache less often than one in known.
type stacks struct {
	known map[uint64]*Site
	near  [1024]struct {
		stack uint64
		site  *Site
	}
}

// find returns the site of a stack; nil if it is unknown.
func (s *stacks) find(stack uint64) *Site {
	near := &s.near[(stack^stack>>32)%uint64(len(s.near))]
	if near.site == nil || near.stack != stack {
		near.stack, near.site = stack, s.known[stack]
	}
	return near.site
}

// slot returns the index of a site in Sites.near.
func slot(op control.Op, pcs *[4]uintptr) uint8 {
	h := pcs[0] + 3*pcs[1] + 5*pcs[2] + 9*pcs[3] + uintptr(op)
	return uint8(h ^ h>>8)
}

// hash returns a hash of the key that is the same in every process of the program.
func (key *siteKey) hash() uint64 {
	h := uint64(key.op)
	for _, pc := range key.pcs {
		if pc != 0 {
			pc -= TextBase
		}
		h = schedule.Mix(h, uint64(pc))
	}
	return h
}

// find returns the known site of the code that a task is at, as if its operation were
// op; nil if there is none.
func (s *Sites) find(m *control.Task, op control.Op) *Site {
	pcs := m.Code()
	near := &s.near[slot(op, pcs)]
	if *near == nil || (*near).key.pcs != *pcs || (*near).key.op != op {
		known := s.known[siteKey{op: op, pcs: *pcs}]
		if known == nil {
			return nil
		}
		*near = known
	}
	return *near
}

// add classifies the code that a task is at, and records it.
func (s *Sites) add(m *control.Task) *Site {
	found := s.classified(m)
	found.Base = found
	s.known[found.key] = found
	return found
}

func (s *Sites) classified(m *control.Task) *Site {
	found := classify(m.Op, m.Stack(), s.Told)
	inner := found.Kind == SiteInner
	told := s.Told.Logs && found.logs()
	found.Gathered = Matches(gathered, found.Package) && Standard(found.Package) && !told || ofEnvironment(found.User.Function)
	if m.Op == control.OpFile {
		found.onFiles(m.Stack(), s.trusted)
	} else if Utility(found.Package) && !found.Gathered && !found.reflected && !found.observed() && !told || found.keepsApart(m.Op) {
		found.hide(inner)
	} else if slices.Contains(allocators, found.User.Function) {
		found.Kind = SiteInner
	}
	found.Gathered = found.Gathered && !inner
	found.Trusted = Matches(s.trusted, found.Package)
	found.Foreign = Standard(found.Package) || found.Trusted || strings.HasPrefix(found.Call, "RWMutex.") || found.groupPart() || m.Op == control.OpEnd || m.Op == control.OpFile
	found.key = siteKey{op: m.Op, pcs: *m.Code()}
	found.Hash = found.key.hash()
	found.object = found.objectKind(m.Op)
	if len(s.targets) > 0 {
		found.Near, found.Target = aimed(s.targets, Resolve(m.Stack()))
	}
	found.Adds = m.Op == control.OpAtomic && s.Lib.onlyAdds(&found)
	found.Deep = !slices.ContainsFunc(m.Stack()[:min(len(found.key.pcs), len(m.Stack()))], func(pc uintptr) bool {
		return slices.Contains(Resolve([]uintptr{pc}), found.User)
	})
	found.sort()
	return &found
}

// exact returns the site by the whole stack, for an operation so deep in package sync,
// as in Cond.Wait, that its key does not include the caller; or for any operation, if a
// search is directed at callers.
func (s *Sites) exact(known *Site, m *control.Task) *Site {
	stack := m.StackHash()
	found := s.whole.find(stack)
	if found == nil {
		found = s.classified(m)
		found.Base = known
		s.whole.known[stack] = found
	}
	return found
}

// Of returns the site of a task's pending operation.
func (s *Sites) Of(m *control.Task) *Site {
	known := s.find(m, m.Op)
	if known == nil {
		known = s.add(m)
	}
	if known.Deep || len(s.targets) > 0 {
		known = s.exact(known, m)
	}
	if known.Stream != nil && slices.Contains(s.streams, m.Addr) {
		known = known.Stream
	}
	if known.Kind == SiteInner || !known.Trusted && !known.Gathered {
		return known
	}
	return s.called(known, m)
}

// Self reports whether the operation in which a task is blocked is the harness's own: T.Wait.
// Functions given to T.Go, such as a context's cancel function, do not count.
func (s *Sites) Self(m *control.Task) bool {
	if m.Op != control.OpAtomic && m.Op != control.OpWoken {
		return false
	}
	known := s.find(m, control.OpAtomic)
	return known != nil && known.Self && m.WaitReason() != "sync.Mutex.Lock"
}

// effective are the trusted packages that are more than caches: the program can observe
// the order of their operations.
var effective = []string{filePkg, "os/...", "syscall"}

// allocators are functions that only allocate memory under a lock of their own. The order of
// such calls is unobservable, so they have no points.
var allocators = []string{
	"modernc.org/libc.Xmalloc", "modernc.org/libc.Xcalloc", "modernc.org/libc.Xrealloc", "modernc.org/libc.Xfree",
	"modernc.org/libc.Xmalloc_usable_size", "modernc.org/libc.UsableSize",
}

// gathered are the trusted packages whose calls are one step each, on the objects of
// all their operations: nothing that others could do between two of these makes a
// difference to the program, unless they set loggers; see [Steps].
var gathered = []string{"log/...", "testing/..."}

// logs reports whether the site is in a package for logging.
func (s *Site) logs() bool { return Matches(gathered[:1], s.Package) && Standard(s.Package) }

// SetsLogs reports whether an operation sets what calls of loggers look at before they write: a
// prefix, a level, the default logger. To set the output is no matter: it has the lock for writing.
func (s *Site) SetsLogs() bool {
	return s.Kind == SiteAtomicWrite && s.Call == "" && s.logs() && s.User.Function != "log.(*Logger).SetOutput"
}

// ofEnvironment reports whether a function is, or is part of, one that reads or changes
// the environment; calls of those are gathered, too.
func ofEnvironment(function string) bool {
	name, ok := strings.CutPrefix(function, "syscall.")
	name, _, _ = strings.Cut(name, ".")
	return ok && slices.Contains([]string{"Clearenv", "Environ", "Getenv", "Setenv", "Unsetenv", "copyenv"}, name)
}

// filePkg is the package that locks files and connections. Writes to standard output
// and error are gathered, too.
const filePkg = "internal/poll"

// streams returns the addresses of the locks of standard output and error and of more:
// the first word of an [os.File]. A program may have set either variable to nil.
func streams(more []*os.File) (locks []uintptr) {
	for _, f := range append([]*os.File{os.Stdout, os.Stderr}, more...) {
		if f != nil {
			locks = append(locks, *(*uintptr)(unsafe.Pointer(f)))
		}
	}
	return locks
}

// observed reports whether the site is in one of the observed functions.
func (s *Site) observed() bool {
	return slices.ContainsFunc(observed, func(f string) bool { return strings.HasPrefix(s.User.Function, f) })
}

// hide leaves out an operation that belongs to the standard library. inner says that it
// was no point in the first place.
func (s *Site) hide(inner bool) {
	if s.Package == filePkg && !inner {
		stream := *s
		stream.Gathered, stream.Foreign = true, true
		stream.Writes = s.Kind == SiteAtomicWrite && lastName(s.User.Function) == "rwlock"
		stream.sort()
		s.Stream = &stream
	}
	s.Kind, s.Hidden = SiteInner, Matches(effective, s.Package)
}

// Hides reports whether the operation in which a task is blocked was left out though it
// is observable.
func (s *Sites) Hides(m *control.Task) bool {
	known := s.find(m, m.Op)
	return known != nil && known.Hidden
}

// WaitsForCond reports whether a task's pending operation is part of Cond.Wait.
func (s *Sites) WaitsForCond(m *control.Task) bool {
	for _, pc := range m.Stack() {
		in, ok := s.waits[pc]
		if !ok {
			for _, f := range Resolve([]uintptr{pc}) {
				in = in || f.Function == "sync.(*Cond).Wait"
			}
			s.waits[pc] = in
		}
		if in {
			return true
		}
	}
	return false
}

// Owns reports whether trusted code has started a task. Such a task runs whenever it
// can, without a choice.
func (s *Sites) Owns(m *control.Task) bool {
	if owned, ok := s.starts[m.GoPC]; ok {
		return owned
	}
	owned := false
	for _, f := range Resolve([]uintptr{m.GoPC}) {
		if pkg := PackageOf(f.Function); !Machinery(pkg) {
			owned = Matches(s.trusted, pkg)
			break
		}
	}
	s.starts[m.GoPC] = owned
	return owned
}

// called returns the site of an operation in trusted code, completed by the call that
// it is part of.
func (s *Sites) called(known *Site, m *control.Task) *Site {
	stack := m.StackHash()
	if known.Trusted {
		s.Used[known.Package] = true
	}
	if found := s.deep.find(stack); found != nil {
		return found
	}
	found := *known
	s.outermost(&found, m.Stack())
	s.deep.known[stack] = &found
	return &found
}

// outermost finds the call into trusted code that contains an operation, and makes the
// caller the site's User.
func (s *Sites) outermost(found *Site, pcs []uintptr) {
	for i, pc := range pcs {
		for _, f := range Whole(pc) {
			pkg := PackageOf(f.Function)
			if !Machinery(pkg) && !Utility(pkg) && !Matches(s.trusted, pkg) {
				found.Entered, found.User = pc, f
				if found.Gathered { // a function of the program that is called from two places makes two calls
					var h uint64
					for _, pc := range pcs[i:] {
						h = schedule.Mix(h, uint64(pc))
					}
					found.Entered = uintptr(h)
				}
				return
			}
		}
	}
}

// LeftOut records packages whose points were left out in an execution of another
// process, or in an earlier one; see Sites.
func (s *Sites) LeftOut(used, hidden []string) {
	for _, pkg := range used {
		s.Used[pkg] = true
	}
	for _, pkg := range hidden {
		s.Hidden[pkg] = true
	}
}
