package source

import (
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// FileFamily is the family of what is at a path.
const FileFamily = "file"

// OnFiles reports whether the operation is a call of package os on files.
func (s *Site) OnFiles() bool { return s.Kind == SiteFileRead || s.Kind == SiteFileWrite }

// FileAccesses is what a pending call on files works on: all that is in file systems,
// since one may be at several paths; and an open file, by where package os keeps who
// uses it. address is never that of a variable.
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

// between are the packages through which the program may call package os: what they
// do with files they do for it. Others look for what they are configured by.
var between = []string{"bufio", "bytes", "encoding/...", "fmt", "io", "io/...", "log", "log/...", "path/...", "reflect", "regexp/...", "slices", "sort", "strings", "text/..."}

// outsiders are packages whose own use of files is nothing that the program has asked for.
var outsiders = []string{"crypto/...", "mime", "mime/...", "net", "os/...", "plugin"}

// onFiles makes a site that of a call on files: which function of package os was called,
// and by whom. Of package testing it is no point: its directories are the test's alone.
func (s *Site) onFiles(pcs []uintptr, trusted []string) {
	inner, outer, all := ofOS(Resolve(pcs))
	s.Kind, s.Op = SiteFileWrite, fileCall(outer, inner)
	for _, f := range all {
		pkg := PackageOf(f.Function)
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
			s.User, s.Package = f, pkg
			if inner == "os.(*file).close" && s.Op != "File.Close" {
				s.Kind = SiteInner // nobody else knows the file
			}
			return
		}
	}
	s.Kind, s.Package, s.Hidden = SiteInner, "os", true
}

// ofOS is the function of package os that makes a system call, the one that was called
// from elsewhere, and the rest of the stack.
func ofOS(all []Frame) (inner, outer string, rest []Frame) {
	for i, f := range all {
		switch PackageOf(f.Function) {
		case "os":
			name := PlainFunction(f.Function)
			if inner == "" && !strings.Contains(name, "jq") { // the overlay's own come first
				inner = name
			}
			outer, rest = name, all[i+1:]
		case "runtime": // which calls what was deferred
		default:
			return inner, outer, rest
		}
	}
	return inner, outer, rest
}

// fileCall is what the call of a function of package os is called: of one that makes
// several system calls, with what this one does.
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
