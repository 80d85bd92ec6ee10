package source

import (
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// FileFamily is the family of files.
const FileFamily = "file"

// OnFiles reports whether the operation is a file operation of package os.
func (s *Site) OnFiles() bool { return s.Kind == SiteFileRead || s.Kind == SiteFileWrite }

// FileAccesses returns the accesses of a pending file operation: all files together are
// one object, since a file may have several paths; an open file is another, at the address
// where package os tracks its users. everything is never the address of a variable.
func FileAccesses(m *control.Task, number func(address uintptr, kind string) uint32) (all []schedule.Access) {
	const everything = ^uintptr(2 << 32)
	does := m.FileUse()
	for _, a := range []struct {
		use     control.FileUse
		address uintptr
		mode    schedule.Mode
	}{
		{control.FileChanges, everything, schedule.Changes}, {control.FileLooks, everything, schedule.Reads},
		{control.FileMoves, m.Addr, schedule.Changes}, {control.FileUses, m.Addr, schedule.Reads},
	} {
		if does&a.use != 0 {
			all = append(all, schedule.Access{Object: number(a.address, FileFamily), Mode: a.mode})
		}
	}
	return all
}

// between are packages through which the program may call package os: they use files on
// the program's behalf. Other packages only read their configuration.
var between = []string{"bufio", "bytes", "encoding/...", "fmt", "io", "io/...", "log", "log/...", "path/...", "reflect", "regexp/...", "slices", "sort", "strings", "text/..."}

// outsiders are packages whose own use of files is unrelated to the program's.
var outsiders = []string{"crypto/...", "mime", "mime/...", "net", "os/...", "plugin"}

// onFiles completes the site of a file operation: the called function of package os and its
// caller. Calls by package testing are no points: its directories belong to the test alone.
func (s *Site) onFiles(pcs []uintptr, trusted []string) {
	inner, outer, all := ofOS(Resolve(pcs))
	s.Kind, s.Op = SiteFileWrite, fileCall(outer, inner)
	for _, f := range all {
		pkg := PackageOf(f.Function)
		s.User = f // it decides, and so belongs to the site's key: deep in package os the innermost callers are the same
		switch {
		case harness(pkg), pkg == "testing":
			s.Kind = SiteInner
			return
		case Matches(gathered, pkg) && Standard(pkg):
			s.Gathered = true
		case Machinery(pkg), Matches(between, pkg) && Standard(pkg):
		case Utility(pkg), Matches(outsiders, pkg) && Standard(pkg), Matches(trusted, pkg):
			s.Kind, s.Package, s.Hidden = SiteInner, "os", true
			return
		default:
			s.Package = pkg
			if inner == "os.(*file).close" && s.Op != "File.Close" {
				s.Kind = SiteInner // no other goroutine knows the file
			}
			return
		}
	}
	s.Kind, s.Package, s.Hidden = SiteInner, "os", true
}

// ofOS returns the function of package os that makes a system call, the one that was
// called from another package, and the rest of the stack.
func ofOS(all []Frame) (inner, outer string, rest []Frame) {
	for i, f := range all {
		switch PackageOf(f.Function) {
		case "os":
			name := PlainFunction(f.Function)
			if inner == "" && !strings.Contains(name, "jq") { // skip the overlay's own functions
				inner = name
			}
			outer, rest = name, all[i+1:]
		case "runtime": // calls deferred functions
		default:
			return inner, outer, rest
		}
	}
	return inner, outer, rest
}

// fileCall names the call of a function of package os. If the function makes several
// system calls, the name says which one this is.
func fileCall(outer, inner string) string {
	part := map[string]string{
		"openFileNolog": "open", "openDirNolog": "open", "rootOpenDir": "open", "(*File).read": "read", "(*File).write": "write", "(*File).readdir": "read",
		"(*File).Stat": "stat", "statNolog": "stat", "lstatNolog": "stat", "Mkdir": "create", "removefileat": "remove", "removedirat": "remove directory",
	}[strings.TrimPrefix(inner, "os.")]
	name := plainName(strings.TrimPrefix(outer, "os."))
	switch name {
	case "ReadFile", "WriteFile", "ReadDir", "MkdirAll", "RemoveAll", "CopyFS", "Rename":
		if part != "" {
			part = " (" + part + ")"
		}
	default:
		part = ""
	}
	if strings.Contains(name, ".") {
		return name + part
	}
	return "os." + name + part
}
