package overlay

import "strings"

// fileEdits announce the system calls that package os makes on files. Of open files
// they concern only those that cannot be polled: neither connections, nor pipes, nor
// the standard streams.
func fileEdits() []edit {
	const file, unix, posix, stat, dir, root, openat = "os/file.go", "os/file_unix.go", "os/file_posix.go", "os/stat_unix.go", "os/dir_unix.go", "os/root_unix.go", "os/root_openat.go"
	all := []edit{
		after(unix, "\tstdoutOrErr bool                    // whether this is stdout or stderr\n",
			"\tjqPlain     bool                    // nobody can wait for it\n\tjqUser      uint32                  // see jqFileBegins\n"),
		before(unix, "\truntime.SetFinalizer(f.file, (*file).close)\n", "\tf.jqPlain = f.pfd.JqPlain() && fd > 2\n"),
		before(unix, "// fd is the Unix implementation of Fd.\n",
			"// jqGo begins to go to a directory that is open, maybe by a path from elsewhere.\nfunc (file *file) jqGo() bool {\n\tdir := file.name\n\tif !jqAbsolute(dir) {\n\t\tdir = \"\"\n\t}\n\tjqFileAt(dir, false)\n\treturn file.jqFile(jqChanges | jqKeeps | jqUses)\n}\n\n// jqStream is what [jqAsStream] does.\nfunc (file *file) jqStream() { file.jqPlain = false }\n\n// jqFile begins a system call on an open file.\nfunc (file *file) jqFile(does uint32) bool {\n\treturn file.jqPlain && jqFileBegins(does, file.name, &file.jqUser)\n}\n\n"),
		// Each of these functions makes two calls.
		replace(unix, "\terr = ignoringEINTR(func() error {\n\t\treturn syscall.Rename(oldname, newname)\n\t})\n",
			"\tbegun := jqPath(jqChanges, newname)\n\terr = ignoringEINTR(func() error {\n\t\treturn syscall.Rename(oldname, newname)\n\t})\n\tjqDone(begun, &err)\n"),
		replace(unix, "\te := ignoringEINTR(func() error {\n\t\treturn syscall.Unlink(name)\n\t})\n",
			"\tbegun := jqPath(jqChanges, name)\n\te := ignoringEINTR(func() error {\n\t\treturn syscall.Unlink(name)\n\t})\n\tjqDone(begun, &e)\n"),
		replace(unix, "\te1 := ignoringEINTR(func() error {\n\t\treturn syscall.Rmdir(name)\n\t})\n",
			"\tbegun = jqPath(jqChanges, name)\n\te1 := ignoringEINTR(func() error {\n\t\treturn syscall.Rmdir(name)\n\t})\n\tjqDone(begun, &e1)\n"),
	}
	for _, f := range []struct{ file, begins, call string }{
		{file, "func Mkdir(name string, perm FileMode) error {\n", "jqPath(jqChanges, name)"},
		{file, "func Chdir(dir string) error {\n", "jqGo(dir)"},
		{unix, "func openFileNolog(name string, flag int, perm FileMode) (*File, error) {\n", "jqPath(jqOpens(flag), name)"},
		{unix, "func openDirNolog(name string) (*File, error) {\n", "jqPath(jqLooks, name)"},
		{unix, "func Truncate(name string, size int64) error {\n", "jqPath(jqChanges|jqKeeps, name)"},
		{unix, "func Link(oldname, newname string) error {\n", "jqPath(jqChanges, newname)"},
		{unix, "func Symlink(oldname, newname string) error {\n", "jqPath(jqChanges, newname)"},
		{unix, "func readlink(name string) (string, error) {\n", "jqPath(jqLooks, name)"},
		{unix, "func (file *file) close() error {\n\tif file == nil {\n\t\treturn syscall.EINVAL\n\t}\n", "file.jqFile(jqMoves)"},
		{unix, "func (f *File) seek(offset int64, whence int) (ret int64, err error) {\n", "f.jqFile(jqMoves)"},
		{posix, "func (f *File) read(b []byte) (n int, err error) {\n", "f.jqFile(jqLooks|jqMoves)"},
		{posix, "func (f *File) pread(b []byte, off int64) (n int, err error) {\n", "f.jqFile(jqLooks|jqUses)"},
		{posix, "func (f *File) write(b []byte) (n int, err error) {\n", "f.jqFile(jqChanges|jqMoves)"},
		{posix, "func (f *File) pwrite(b []byte, off int64) (n int, err error) {\n", "f.jqFile(jqChanges|jqUses)"},
		{posix, "func chmod(name string, mode FileMode) error {\n", "jqPath(jqChanges|jqKeeps, name)"},
		{posix, "func Chown(name string, uid, gid int) error {\n", "jqPath(jqChanges|jqKeeps, name)"},
		{posix, "func Lchown(name string, uid, gid int) error {\n", "jqPath(jqChanges|jqKeeps, name)"},
		{posix, "func Chtimes(name string, atime time.Time, mtime time.Time) error {\n", "jqPath(jqChanges|jqKeeps, name)"},
		{posix, "func (f *File) chmod(mode FileMode) error {\n\tif err := f.checkValid(\"chmod\"); err != nil {\n\t\treturn err\n\t}\n", "f.jqFile(jqChanges|jqUses)"},
		{posix, "func (f *File) Chown(uid, gid int) error {\n\tif err := f.checkValid(\"chown\"); err != nil {\n\t\treturn err\n\t}\n", "f.jqFile(jqChanges|jqUses)"},
		{posix, "func (f *File) Truncate(size int64) error {\n\tif err := f.checkValid(\"truncate\"); err != nil {\n\t\treturn err\n\t}\n", "f.jqFile(jqChanges|jqUses)"},
		{posix, "func (f *File) Sync() error {\n\tif err := f.checkValid(\"sync\"); err != nil {\n\t\treturn err\n\t}\n", "f.jqFile(jqUses)"},
		{posix, "func (f *File) Chdir() error {\n\tif err := f.checkValid(\"chdir\"); err != nil {\n\t\treturn err\n\t}\n", "f.jqGo()"},
		{stat, "func (f *File) Stat() (FileInfo, error) {\n\tif f == nil {\n\t\treturn nil, ErrInvalid\n\t}\n", "f.jqFile(jqLooks|jqUses)"},
		{stat, "func statNolog(name string) (FileInfo, error) {\n", "jqPath(jqLooks, name)"},
		{stat, "func lstatNolog(name string) (FileInfo, error) {\n", "jqPath(jqLooks, name)"},
		{dir, "func (f *File) readdir(n int, mode readdirMode) (names []string, dirents []DirEntry, infos []FileInfo, err error) {\n", "f.jqFile(jqLooks|jqMoves)"},
		{root, "func openRootNolog(name string) (*Root, error) {\n", "jqPath(jqLooks, name)"},
		{root, "func newRoot(fd int, name string) (*Root, error) {\n", "jqNewRoot(name)"},
		{openat, "func (r *root) incref() error {\n", "jqFileBegins(jqUses, r.name, &r.jqUser)"},
		{openat, "func (r *root) Close() error {\n", "jqFileBegins(jqMoves, r.name, &r.jqUser)"},
		{root, "func readlinkat(fd int, name string) (string, error) {\n", "jqPath(jqLooks, name)"},
	} {
		begins, result := bracketed(f.begins)
		all = append(all, replace(f.file, f.begins, begins+"\tdefer jqDone("+f.call+", &"+result+")\n"))
	}
	return append(all, rootEdits()...)
}

// rootEdits announce each system call of an os.Root, whose names are relative to an
// open directory.
func rootEdits() []edit {
	const opened, unix = "os/root_openat.go", "os/root_unix.go"
	all := []edit{
		replace(unix, "unix.Openat(parent, name, ", "jqOpenat(parent, name, ").times(3),
		before(unix, "// rootOpenFileNolog is Root.OpenFile.\n",
			"func jqOpenat(parent int, name string, flag int, perm uint32) (fd int, err error) {\n\tdefer jqDone(jqBelow(jqOpens(flag), name), &err)\n\treturn unix.Openat(parent, name, flag, perm)\n}\n\n"),
		after(opened, "\tclosed bool // set when closed\n", "\tjqUser uint32 // see jqFileBegins\n"),
		// No other goroutine knows what these create, or uses what they close.
		replace(unix, "\tf := newFile(fd, joinPath(root.Name(), name), ", "\tdefer jqDone(jqPath(0, name), &err)\n\tf := newFile(fd, joinPath(root.Name(), name), "),
		after(opened, "func (r *root) decref() {\n", "\tvar err error\n\tdefer jqDone(jqPath(0, r.name), &err)\n"),
	}
	for _, c := range []struct {
		call, does, name string
		count            int
		only             string
	}{
		{"unix.Fstatat(parent, name, &fs.sys, unix.AT_SYMLINK_NOFOLLOW)", "jqLooks", "name", 1, ""},
		{"unix.Fstatat(parent, n, &fs.sys, unix.AT_SYMLINK_NOFOLLOW)", "jqLooks", "n", 1, "1.25"}, // until Go 1.25.11
		{"unix.Fchmodat(parent, name, syscallMode(mode), unix.AT_SYMLINK_NOFOLLOW)", "jqChanges", "name", 1, ""},
		{"unix.Fchownat(parent, name, uid, gid, unix.AT_SYMLINK_NOFOLLOW)", "jqChanges", "name", 2, ""},
		{"unix.Utimensat(parent, name, &utimes, unix.AT_SYMLINK_NOFOLLOW)", "jqChanges", "name", 1, ""},
		{"unix.Mkdirat(fd, name, syscallMode(perm))", "jqChanges", "name", 1, ""},
		{"unix.Unlinkat(fd, name, 0)", "jqChanges", "name", 2, ""},
		{"unix.Unlinkat(fd, name, unix.AT_REMOVEDIR)", "jqChanges", "name", 2, ""},
		{"unix.Renameat(oldfd, oldname, newfd, newname)", "jqChanges", "newname", 1, ""},
		{"unix.Linkat(oldfd, oldname, newfd, newname, 0)", "jqChanges", "newname", 1, ""},
		{"unix.Symlinkat(oldname, newfd, newname)", "jqChanges", "newname", 1, ""},
	} {
		// Its arguments are evaluated from left to right.
		e := replace(unix, c.call, "jqAt(jqBelow("+c.does+", "+c.name+"), "+c.call+")").times(c.count).in(c.only)
		e.maybe = c.only != ""
		all = append(all, e)
	}
	return all
}

// bracketed returns the beginning of a function with its last result, an error, named;
// and that name.
func bracketed(begins string) (text, result string) {
	for _, results := range [][2]string{
		{" (*File, error) {\n", " (jqFile *File, jqErr error) {\n"}, {" (FileInfo, error) {\n", " (jqInfo FileInfo, jqErr error) {\n"},
		{" (string, error) {\n", " (jqText string, jqErr error) {\n"},
		{" (*Root, error) {\n", " (jqRoot *Root, jqErr error) {\n"}, {") error {\n", ") (jqErr error) {\n"},
	} {
		if strings.Contains(begins, results[0]) {
			return strings.Replace(begins, results[0], results[1], 1), "jqErr"
		}
	}
	return begins, "err"
}
