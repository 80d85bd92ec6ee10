package guest

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
)

// A temp is the folder for temporary files of an item's schedules. It is empty
// for the first; for the others it has in it what the first one left: packages
// may keep what they make once, such as a program that tests run, as long as
// the process lasts. Its path is the same in every process unless two run the
// item at the same time: paths are hashed and compared, and so decide courses.
type temp struct {
	dir  string
	kept map[string]bool
	free func() // nil if the folder is another process's
}

// mostTemps is how many processes may run one item at the same time.
const mostTemps = 1000

// newTemp makes the folder, unless there is one that another process has made.
func newTemp(name, there string) (*temp, error) {
	if there != "" {
		return &temp{dir: there}, nil
	}
	self, _ := os.Executable() // without it another item's folder may have the same name
	h := fnv.New32a()
	fmt.Fprint(h, filepath.Base(self), name)
	for i := range mostTemps {
		dir := filepath.Join(os.TempDir(), fmt.Sprintf("jacquard-%d-%08x-%d", os.Getuid(), h.Sum32(), i))
		if free, err := claim(dir); err == nil {
			t := &temp{dir: dir, free: free}
			t.clear()
			return t, nil
		} else if !os.IsExist(err) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("no free folder for temporary files in %s", os.TempDir())
}

// prepare is called before each schedule, with how many have been run.
func (t *temp) prepare(runs int) {
	if t.free == nil {
		return
	}
	if runs == 1 {
		t.keep()
	}
	t.clear()
}

// keep takes what is there for what stays.
func (t *temp) keep() {
	t.kept = make(map[string]bool)
	entries, _ := os.ReadDir(t.dir) // what cannot be read cannot be removed
	for _, e := range entries {
		t.kept[e.Name()] = true
	}
}

// clear removes what a schedule has left.
func (t *temp) clear() {
	entries, _ := os.ReadDir(t.dir) // what cannot be read cannot be removed
	for _, e := range entries {
		if !t.kept[e.Name()] {
			_ = os.RemoveAll(filepath.Join(t.dir, e.Name())) // what is left is removed in the end, if it can be
		}
	}
}

func (t *temp) remove() {
	if t.free == nil {
		return
	}
	_ = os.RemoveAll(t.dir) // it is temporary
	t.free()
}
