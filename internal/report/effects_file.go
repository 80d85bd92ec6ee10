package report

import (
	"hash/fnv"
	"path/filepath"
	"syscall"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// lookAtFile notes what a call on files is about to work on: to the report what is at a
// path is one thing, though it may be at others too, and what is done with an open file is
// done with what is at its path: to close it too.
func (r *Recorder) lookAtFile(e *event, m *control.Task) {
	does, path := m.FileUse(), m.FilePath()
	e.path, e.object = path, pathObject(path)
	e.reads, e.writes = does&(control.FileLooks|control.FileUses) != 0, does&control.FileChanges != 0 || does&^control.FileMoves == 0
	if !e.writes {
		e.Site.Kind = source.SiteFileRead
	}
}

// pathObject stands for what is at a path. It is no address of the program's memory.
func pathObject(path string) uintptr {
	h := fnv.New64a()
	h.Write([]byte(path))
	return uintptr(h.Sum64() | 1<<63)
}

// pathName is what a path is called: tests have directories with long names.
func pathName(path string) string { return filepath.Base(path) }

// fileDone notes with what a call on files has ended.
func (e *event) fileDone(m *control.Task) {
	number, ended := m.Filed()
	if !ended {
		return
	}
	e.refused = number != 0
	e.value = "= " + fileError(number)
}

// fileError is the text of an error that package os has returned.
func fileError(number int) string {
	switch number {
	case 0:
		return "ok"
	case control.FileEOF:
		return "EOF"
	case control.FileClosed:
		return "file already closed"
	case control.FileOther:
		return "an error"
	}
	return syscall.Errno(number).Error()
}
