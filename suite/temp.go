package suite

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
)

// tempVar names the variable that says where temporary files go.
const tempVar = "TMPDIR"

// A temp is the folder for temporary files of a process, which is removed when
// the process is over, however it ended. Its path is the same for every process
// of a test unless two run at the same time: paths are hashed and compared, and
// so decide courses. It is short, for the sake of sockets below it.
type temp struct {
	dir  string
	free func()
}

// mostTemps is how many processes may run one test at the same time.
const mostTemps = 1000

// errTaken says that a folder is somebody else's.
var errTaken = errors.New("it is taken")

// newTemp makes a folder for a test of a test binary, or for all of them if the
// name is empty.
func newTemp(binary, test string) (*temp, error) {
	for i := range mostTemps {
		h := fnv.New32a()
		fmt.Fprint(h, os.Getuid(), filepath.Base(binary), test, i)
		t := &temp{dir: filepath.Join(os.TempDir(), fmt.Sprintf("jacquard%08x", h.Sum32()))}
		var err error
		if t.free, err = claim(t.dir); err == nil {
			t.clear()
			return t, nil
		} else if !errors.Is(err, errTaken) {
			return nil, fmt.Errorf("a folder for temporary files: %w", err)
		}
	}
	return nil, fmt.Errorf("a folder for temporary files: %w", errTaken)
}

// schedules is the path of the folder, in this one, that is for what the schedules
// of a test make, and not for what TestMain does.
func (t *temp) schedules() string { return filepath.Join(t.dir, "1") }

// entry is what a process's environment says of the folder.
func (t *temp) entry() string { return tempVar + "=" + t.dir }

// clear removes what a process has left that was killed with those who had
// started it.
func (t *temp) clear() {
	entries, _ := os.ReadDir(t.dir) // what cannot be read cannot be removed
	for _, e := range entries {
		_ = os.RemoveAll(filepath.Join(t.dir, e.Name())) // the same
	}
}

func (t *temp) remove() {
	_ = os.RemoveAll(t.dir) // it is temporary
	t.free()
}
