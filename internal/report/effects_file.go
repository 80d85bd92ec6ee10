package report

import (
	"hash/fnv"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// lookAtFile records what a call on files is about to work on. For the report the file at a path is
// one object, though it may have other paths too, and operations on an open file, including closing
// it, are on the object at its path.
func (r *Recorder) lookAtFile(e *event, m *control.Task) {
	does, path := m.FileUse(), m.FilePath()
	e.path, e.object = path, pathObject(path)
	e.reads, e.writes = does&(control.FileLooks|control.FileUses) != 0, does&control.FileChanges != 0 || does&^control.FileMoves == 0
	if !e.writes {
		e.Site.Kind = source.SiteFileRead
	}
}

// pathObject returns a number for the object at a path. It is not an address of the program's memory.
func pathObject(path string) uintptr {
	h := fnv.New64a()
	h.Write([]byte(path))
	return uintptr(h.Sum64() | 1<<63)
}

// fileDone records the result of a call on files.
func (e *event) fileDone(m *control.Task) {
	number, ended := m.Filed()
	if !ended {
		return
	}
	e.refused = number != 0
	e.value = "= " + control.FileError(number)
}
