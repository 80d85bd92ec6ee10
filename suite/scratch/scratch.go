// Package scratch makes the folders for temporary files of processes that run tests.
package scratch

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
)

// tempVar names the variable for the folder of temporary files.
const tempVar = "TMPDIR"

// A Folder holds the temporary files of a process. It is removed when the process has ended,
// however that was. Its path is the same for every process of a test unless two run at the same
// time, because paths are hashed and compared and so can influence a test. It is short, for the
// sake of sockets below it.
type Folder struct {
	Dir  string
	free func()
}

// mostFolders bounds the processes that run one test at the same time.
const mostFolders = 1000

// errTaken means that another process has the folder.
var errTaken = errors.New("it is taken")

// New makes a folder for a test of a test binary, or for all its tests if test is empty.
func New(binary, test string) (*Folder, error) {
	for i := range mostFolders {
		h := fnv.New32a()
		fmt.Fprint(h, os.Getuid(), filepath.Base(binary), test, i)
		t := &Folder{Dir: filepath.Join(os.TempDir(), fmt.Sprintf("jacquard%08x", h.Sum32()))}
		var err error
		if t.free, err = claim(t.Dir); err == nil {
			t.clear()
			return t, nil
		} else if !errors.Is(err, errTaken) {
			return nil, fmt.Errorf("a folder for temporary files: %w", err)
		}
	}
	return nil, fmt.Errorf("a folder for temporary files: %w", errTaken)
}

// Schedules returns the path of the subfolder for files of a test's schedules, as opposed to those
// of TestMain.
func (t *Folder) Schedules() string { return filepath.Join(t.Dir, "1") }

// Entry returns the entry of a process's environment for the folder.
func (t *Folder) Entry() string { return tempVar + "=" + t.Dir }

// clear removes what a process has left that was killed together with its parent.
func (t *Folder) clear() {
	entries, _ := os.ReadDir(t.Dir) // files that cannot be listed cannot be removed
	for _, e := range entries {
		_ = os.RemoveAll(filepath.Join(t.Dir, e.Name())) // nothing depends on it
	}
}

// Remove removes the folder and its contents.
func (t *Folder) Remove() {
	_ = os.RemoveAll(t.Dir) // temporary
	t.free()
}
