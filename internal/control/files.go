package control

import "unsafe"

// A FileUse is what a call on files does.
type FileUse uint32

// The uses, mirrored in the runtime's side.
const (
	FileLooks   FileUse = 1 << iota // at names or contents
	FileChanges                     // these
	FileUses                        // an open file, which stays as it is
	FileMoves                       // an open file's position, or closes it
)

// Numbers of errors of calls on files that are no system calls'.
const (
	FileEOF = 1000 + iota
	FileClosed
	FileOther
)

// SetFiles says whether the calls of package os on files are scheduling points in the
// execution that begins.
func SetFiles(points bool) { setFiles(points) }

// FilesShared reports whether a task of the execution has used what another one has
// changed among files, or the other way round.
func FilesShared() bool { return filesShared() }

// SetOwnFiles names a directory whose files no other process has to do with.
func SetOwnFiles(dir string) { setOwnFiles(dir) }

// MainChangesFiles reports whether, before there was a task, somebody has changed other files
// or started a process, which may have: TestMain, or an init function.
func MainChangesFiles() bool { return mainChangesFiles() }

// TakeFilesChanged reports whether a task has changed other files by their paths or below an
// os.Root since it was last asked, or has started a process, which may have.
func TakeFilesChanged() bool { return takeFilesChanged() }

// FileUse is what a pending call on files does.
func (m *Task) FileUse() FileUse { return FileUse(m.objects[2]) }

// FilePath is the path of a pending call on files.
func (m *Task) FilePath() string {
	path := make([]byte, m.objects[1])
	copyText(path, m.objects[0])
	return string(path)
}

// copyText copies what the program has at an address. The race detector hears nothing
// of it.
//
//go:norace
func copyText(to []byte, addr uintptr) {
	for i := range to {
		at := addr + uintptr(i)
		to[i] = **(**byte)(unsafe.Pointer(&at))
	}
}

// BeginFile forgets what has come of earlier calls on files.
func (m *Task) BeginFile() { m.filed = 0 }

// Filed is the number of the error with which the first call on files since BeginFile has
// ended, 0 for none; and whether it has ended.
func (m *Task) Filed() (number int, ended bool) { return int(m.filed) - 1, m.filed != 0 }
