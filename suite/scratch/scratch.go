// Package scratch has the folders for temporary files of processes that run tests.
package scratch

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
)

// tempVar names the variable that says where temporary files go.
const tempVar = "TMPDIR"

// A Folder is the one for temporary files of a process, which is removed when
// the process is over, however it ended. Its path is the same for every process
// of a test unless two run at the same time: paths are hashed and compared, and
// so decide courses. It is short, for the sake of sockets below it.
type Folder struct {
	Dir  string
	free func()
}

// mostFolders is how many processes may run one test at the same time.
const mostFolders = 1000

// errTaken says that a folder is somebody else's.
var errTaken = errors.New("it is taken")

// New makes a folder for a test of a test binary, or for all of them if the
// name is empty.
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

// Schedules is the path of the folder, in this one, that is for what the schedules
// of a test make, and not for what TestMain does.
func (t *Folder) Schedules() string { return filepath.Join(t.Dir, "1") }

// Entry is what a process's environment says of the folder.
func (t *Folder) Entry() string { return tempVar + "=" + t.Dir }

// clear removes what a process has left that was killed with those who had
// started it.
func (t *Folder) clear() {
	entries, _ := os.ReadDir(t.Dir) // what cannot be read cannot be removed
	for _, e := range entries {
		_ = os.RemoveAll(filepath.Join(t.Dir, e.Name())) // the same
	}
}

// Remove removes it, and all that is in it.
func (t *Folder) Remove() {
	_ = os.RemoveAll(t.Dir) // it is temporary
	t.free()
}
