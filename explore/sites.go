package explore

import (
	"maps"
	"os"
	"slices"
	"strings"
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
)

// trusted are the packages of the standard library whose inner
// synchronisation concerns nobody: caches, buffers, the reference counts of
// files.
var trusted = []string{
	"bufio", "bytes", "crypto/...", "encoding/...", "errors", "fmt", "hash/...", "internal/...", "io", "io/...", "log", "log/...",
	"math/...", "os", "os/...", "path/...", "reflect", "regexp/...", "sort", "strconv", "strings", "syscall", "testing", "testing/...", "text/...", "unicode/...", "unique", "vendor/...",
}

// matches reports whether a package is one of patterns.
func matches(patterns []string, pkg string) bool {
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

// standard reports whether a package is of the standard library: the first part
// of its path is no domain.
func standard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	own, _, _ := strings.Cut(mainModule(), "/")
	return first != "main" && first != own && !strings.Contains(first, ".")
}

// A siteKey identifies a site by its innermost return addresses, as the
// runtime's side does.
type siteKey struct {
	op  control.Op
	pcs [4]uintptr
}

// sites remembers what was classified.
type sites struct {
	lib       *library
	callees   map[uintptr]string // go statement → what it calls
	literals  map[uintptr]string // first instruction → see wrapped
	borrows   map[uintptr]bool   // first instruction → see borrowed
	borrowers map[uint64]string  // stack → see borrower
	known     map[siteKey]*site
	near      [256]*site       // some of known, by slot
	starts    map[uintptr]bool // go statement → it is trusted code's
	deep      map[uint64]*site // of trusted code, by the whole stack
	whole     map[uint64]*site // whose keys say too little, by the whole stack
	trusted   []string
	streams   []uintptr
	used      map[string]bool  // patterns beyond the standard library's that left out a point
	hidden    map[string]bool  // packages of the standard library whose points left out are more than caches
	waits     map[uintptr]bool // return address → it is in Cond.Wait
}

func newSites(trust []string) *sites {
	control.ClearSkip()
	return &sites{lib: newLibrary(), callees: make(map[uintptr]string), literals: make(map[uintptr]string), borrows: make(map[uintptr]bool), borrowers: make(map[uint64]string), known: make(map[siteKey]*site), deep: make(map[uint64]*site), whole: make(map[uint64]*site), starts: make(map[uintptr]bool), trusted: trust, streams: streams(), used: make(map[string]bool), hidden: make(map[string]bool), waits: make(map[uintptr]bool)}
}

// slot is where to look for a site first.
func (key *siteKey) slot() uint8 {
	h := uintptr(key.op)
	for _, pc := range key.pcs {
		h = h*31 + pc
	}
	return uint8(h ^ h>>8)
}

// hash is the key's, the same in every process of the program.
func (key *siteKey) hash() uint64 {
	h := uint64(key.op)
	for _, pc := range key.pcs {
		if pc != 0 {
			pc -= textBase
		}
		h = mixed(h, uint64(pc))
	}
	return h
}

// find is the site of the code that a member is at, if its operation were op;
// nil if it is not known.
func (s *sites) find(m *control.Member, op control.Op) *site {
	key := siteKey{op: op, pcs: *m.Code()}
	near := &s.near[key.slot()]
	if *near == nil || (*near).key != key {
		known := s.known[key]
		if known == nil {
			return nil
		}
		*near = known
	}
	return *near
}

// add classifies the code that a member is at.
func (s *sites) add(m *control.Member) *site {
	found := s.classified(m)
	found.base = found
	s.known[found.key] = found
	return found
}

func (s *sites) classified(m *control.Member) *site {
	found := classify(m.Op, m.Stack())
	inner := found.kind == siteInner
	found.gathered = matches(gathered, found.pkg) || ofEnvironment(found.user.function)
	if matches(trusted, found.pkg) && !found.gathered {
		found.hide(inner)
	}
	found.gathered = found.gathered && !inner
	found.trusted = matches(s.trusted, found.pkg)
	found.key = siteKey{op: m.Op, pcs: *m.Code()}
	found.hash = found.key.hash()
	found.object = found.objectKind(m.Op)
	found.deep = !slices.ContainsFunc(m.Stack()[:min(len(found.key.pcs), len(m.Stack()))], func(pc uintptr) bool {
		return slices.Contains(resolve([]uintptr{pc}), found.user)
	})
	found.unsure = found.deep && found.kind == siteInner && !inner
	return &found
}

// exact is the site of an operation that lies so deep in package sync, as the
// one in Cond.Wait does, that its key does not tell who has called.
func (s *sites) exact(known *site, m *control.Member) *site {
	stack := stackHash(m)
	found, ok := s.whole[stack]
	if !ok {
		found = s.classified(m)
		found.base = known
		s.whole[stack] = found
	}
	return found
}

func stackHash(m *control.Member) uint64 {
	stack := uint64(m.Op)
	for _, pc := range m.Stack() {
		stack = (stack ^ uint64(pc)) * 1099511628211
	}
	return stack
}

// of is the site of a member's pending operation.
func (s *sites) of(m *control.Member) *site {
	known := s.find(m, m.Op)
	if known == nil {
		known = s.add(m)
	}
	if known.deep {
		known = s.exact(known, m)
	}
	if known.stream != nil && slices.Contains(s.streams, m.Addr) {
		known = known.stream
	}
	if known.kind == siteInner || !known.trusted && !known.gathered {
		return known
	}
	return s.called(known, m)
}

// self reports whether the operation in which a member blocked is the harness's
// own: T.Wait.
func (s *sites) self(m *control.Member) bool {
	known := s.find(m, control.OpAtomic)
	return known != nil && known.self
}

// effective are those of the trusted packages whose operations the program can
// tell the order of: they are not only caches.
var effective = []string{"io/...", filePkg, "os/...", "syscall"}

// gathered are those of the trusted packages whose calls are one step each, on all
// that their operations are on: nothing that others could do between two of these
// makes a difference to the program.
var gathered = []string{"log/...", "testing/..."}

// ofEnvironment reports whether a function is, or is part of, one of those that
// look at the environment or change it, whose calls are gathered too.
func ofEnvironment(function string) bool {
	name, ok := strings.CutPrefix(function, "syscall.")
	name, _, _ = strings.Cut(name, ".")
	return ok && slices.Contains([]string{"Clearenv", "Environ", "Getenv", "Setenv", "Unsetenv", "copyenv"}, name)
}

// filePkg is the package that files and connections are locked in. To write to the
// standard output or error is gathered too.
const filePkg = "internal/poll"

// streams are the locks of the process's standard output and error: the first
// word of what an [os.File] points to. A program may have done without either.
func streams() (locks []uintptr) {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if f != nil {
			locks = append(locks, *(*uintptr)(unsafe.Pointer(f)))
		}
	}
	return locks
}

// hide leaves out an operation of the standard library's own, which may be one
// that was left out before.
func (s *site) hide(inner bool) {
	if s.pkg == filePkg && !inner {
		stream := *s
		stream.gathered = true
		stream.writes = s.kind == siteAtomicWrite && lastName(s.user.function) == "rwlock"
		s.stream = &stream
	}
	s.kind, s.hidden = siteInner, matches(effective, s.pkg)
}

// hides reports whether the operation in which a member blocked is one that was
// left out.
func (s *sites) hides(m *control.Member) bool {
	known := s.find(m, m.Op)
	return known != nil && known.hidden
}

// opaque names what the execution has done whose order is not seen: the packages
// of the standard library of which points were left out that are more than caches,
// and system calls. It is "" if there is nothing.
func (ex *execution) opaque() string {
	names := slices.Sorted(maps.Keys(ex.x.sites.hidden))
	if ex.visible() {
		names = append(names, "system calls")
	}
	return strings.Join(names, ", ")
}

// visible reports whether the execution has made system calls other than those
// that write to the standard output or error.
func (ex *execution) visible() bool { return ex.calls > ex.writes }

// waitsForCond reports whether a member's pending operation is part of Cond.Wait.
func (s *sites) waitsForCond(m *control.Member) bool {
	for _, pc := range m.Stack() {
		in, ok := s.waits[pc]
		if !ok {
			for _, f := range resolve([]uintptr{pc}) {
				in = in || f.function == "sync.(*Cond).Wait"
			}
			s.waits[pc] = in
		}
		if in {
			return true
		}
	}
	return false
}

// owns reports whether a member was started by trusted code. It runs as soon
// as it can, so that it is no choice when.
func (s *sites) owns(m *control.Member) bool {
	if owned, ok := s.starts[m.GoPC]; ok {
		return owned
	}
	owned := false
	for _, f := range resolve([]uintptr{m.GoPC}) {
		if pkg := packageOf(f.function); !machinery(pkg) {
			owned = matches(s.trusted, pkg)
			break
		}
	}
	s.starts[m.GoPC] = owned
	return owned
}

// called is the site of an operation in trusted code, with the call that it is
// part of.
func (s *sites) called(known *site, m *control.Member) *site {
	stack := stackHash(m)
	if known.trusted {
		s.used[known.pkg] = true
	}
	if found, ok := s.deep[stack]; ok {
		return found
	}
	found := *known
	s.outermost(&found, m.Stack())
	s.deep[stack] = &found
	return &found
}

// outermost finds the call into trusted code that an operation is part of. Its
// user is from then on the caller.
func (s *sites) outermost(found *site, pcs []uintptr) {
	for i, pc := range pcs {
		for _, f := range resolve(pcs[i : i+1]) {
			pkg := packageOf(f.function)
			if !machinery(pkg) && !matches(trusted, pkg) && !matches(s.trusted, pkg) {
				found.entered, found.user = pc, f
				return
			}
		}
	}
}
