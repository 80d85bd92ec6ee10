package control

import (
	"syscall"
	"unsafe"
)

// A FileUse says what a file operation does.
type FileUse uint32

// The uses; the runtime's half has the same constants.
const (
	FileLooks   FileUse = 1 << iota // reads names or contents
	FileChanges                     // changes names or contents
	FileUses                        // uses an open file without changing its state
	FileMoves                       // changes an open file's position, or closes it
)

// Numbers of errors of file operations that do not come from system calls.
const (
	FileEOF = 1000 + iota
	FileClosed
	FileOther
)

// SetFiles says whether file operations of package os are scheduling points in the
// execution that begins.
func SetFiles(points bool) { setFiles(points) }

// FilesShared reports whether a task of the execution has used files that another one
// has changed, or changed files that another one has used.
func FilesShared() bool { return filesShared() }

// SetOwnFiles names a directory whose files no other process uses.
func SetOwnFiles(dir string) { setOwnFiles(dir) }

// SetEmptied names a directory that is emptied after each execution from here on, but for what the
// first of them leaves.
func SetEmptied(dir string) { setEmptied(dir) }

// MainChangesFiles reports whether TestMain or an init function has changed other files
// before the first task, or has started a process, which may have.
func MainChangesFiles() bool { return mainChangesFiles() }

// TakeFilesChanged reports whether, since the last call, a task has changed other files by
// their paths or below an os.Root, or has started a process, which may have.
func TakeFilesChanged() bool { return takeFilesChanged() }

// FileUse returns what a pending file operation does.
func (m *Task) FileUse() FileUse { return FileUse(m.objects[2]) }

// FilePath returns the path of a pending file operation.
func (m *Task) FilePath() string {
	path := make([]byte, m.objects[1])
	copyText(path, m.objects[0])
	return string(path)
}

// copyText copies the program's text at an address. The race detector does not see the
// reads.
//
//go:norace
func copyText(to []byte, addr uintptr) {
	for i := range to {
		at := addr + uintptr(i)
		to[i] = **(**byte)(unsafe.Pointer(&at))
	}
}

// BeginFile discards the results of earlier file operations.
func (m *Task) BeginFile() { m.filed = 0 }

// Filed returns the error number of the first file operation since BeginFile, 0 for none,
// and whether that operation has ended.
func (m *Task) Filed() (number int, ended bool) { return int(m.filed) - 1, m.filed != 0 }

// FileError returns the text of the error that a file operation has ended with; see Task.Filed.
func FileError(number int) string {
	switch number {
	case 0:
		return "ok"
	case FileEOF:
		return "EOF"
	case FileClosed:
		return "file already closed"
	case FileOther:
		return "an error"
	}
	return syscall.Errno(number).Error()
}
